-- Confirmed autos of the vehicle, after its last approved inspection, that ground the act.
-- And reserve vehicles seen running on days off, where the norm asks leave for it: the leave is in no extract.
with reservas as (
    select o.norma, o.veiculo_id, p.dispositivo_reserva, list(distinct o.data order by o.data) as dias
    from registro.operacao o
    join p on p.norma = o.norma and p.reserva_olhar_dias is not null
    join registro.veiculos x on x.veiculo_id = o.veiculo_id and x.funcao = 'reserva'
    join calendario.dias d on d.norma = o.norma and d.dia = o.data and not d.util
    where o.data > $as_of::date - p.reserva_olhar_dias and coalesce(o.viagens_realizadas > 0, true)
    group by all
), juntos as (
    select norma, veiculo_id, concat_ws('; ', v.dispositivo, r.dispositivo_reserva) as dispositivo, v.autos, v.ultima_vistoria_em,
           v.no_limite, r.dias
    from fatos.causas_do_veiculo('r') v
    full join reservas r using (norma, veiculo_id)
)
select v.norma,
       case when ilegivel(x.desconhecidos, ['baixado_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       v.veiculo_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       v.dispositivo,
       struct_pack(placa := x.placa, autos := v.autos, ultima_vistoria_em := v.ultima_vistoria_em,
                   no_limite := v.no_limite, dias_de_reserva := v.dias, falta := ilegivel(x.desconhecidos, ['baixado_em'])) as evidencia
from juntos v
join registro.veiculos x on x.veiculo_id = v.veiculo_id and x.norma = v.norma
where not x.baixado and not x.dono_silencioso
