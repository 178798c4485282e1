-- Spare turnstiles against a part, rounded up, of the holder's vehicles in operation with a permit of their own in force.
-- What could not be read is given both readings: a finding only where none of them would do.
with frotas as (
    select permissionario_id,
           count(*) filter (titulo = 'do_veiculo' and duvida is null and funcao <> 'reserva') as operando,
           count(*) filter (titulo <> 'do_veiculo' or duvida is not null) as incertos,
           list_distinct(flatten(list(case when duvida is not null then duvida
                                           when titulo <> 'do_veiculo' then ['alvaras.veiculo_id'] end))) as duvida
    from fatos.frota
    where titulo <> 'nenhum' and norma in (select norma from p)
    group by permissionario_id
), contas as (
    select h.norma, h.permissionario_id, h.catracas_reserva, p.fracao, f.operando, f.duvida,
           ceil(p.fracao * f.operando)::integer as exigidas, ceil(p.fracao * (f.operando + f.incertos))::integer as exigidas_no_maximo
    from frotas f
    join registro.permissionarios h using (permissionario_id)
    join p on p.norma = h.norma
)
select norma,
       case when catracas_reserva < exigidas then 'violacao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(catracas_reserva, catracas_exigidas := exigidas, frota_em_operacao := operando, parte_da_frota := fracao,
                   falta := case when catracas_reserva is null then ['permissionarios.catracas_reserva']
                                 when catracas_reserva >= exigidas then duvida end) as evidencia
from contas
where exigidas_no_maximo > 0 and not coalesce(catracas_reserva >= exigidas_no_maximo, false)
