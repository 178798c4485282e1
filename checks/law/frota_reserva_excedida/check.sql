-- Reserve vehicles of the whole system against a part, rounded down, of those in operation; both in service.
-- What could not be read is given both readings: a finding only where none of them would do.
with contagem as (
    select norma,
           count(*) filter (duvida_do_veiculo is null and funcao = 'reserva') as reserva,
           count(*) filter (duvida_do_veiculo is null and funcao <> 'reserva') as operando,
           count(*) filter (duvida_do_veiculo is not null) as incertos,
           list_distinct(flatten(list(duvida_do_veiculo) filter (duvida_do_veiculo is not null))) as duvida
    from fatos.frota
    where norma in (select norma from p)
    group by norma
), contas as (
    select c.*, p.fracao, floor(p.fracao * c.operando)::integer as teto, floor(p.fracao * (c.operando + c.incertos))::integer as teto_maior
    from contagem c
    join p using (norma)
)
select norma,
       case when reserva > teto_maior then 'violacao' else 'nao_avaliado' end as situacao,
       norma as sujeito_id,
       null::varchar as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(reserva, reserva_maxima := teto, frota_em_operacao := operando, parte_da_frota := fracao,
                   falta := case when reserva <= teto_maior then duvida end) as evidencia
from contas
where reserva + incertos > teto
