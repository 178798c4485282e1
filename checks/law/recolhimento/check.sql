-- Confirmed autos of the vehicle, after its last approved inspection, that ground the act.
select v.norma,
       case when ilegivel(x.desconhecidos, ['baixado_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       v.veiculo_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       v.dispositivo,
       struct_pack(placa := x.placa, autos := v.autos, ultima_vistoria_em := v.ultima_vistoria_em,
                   no_limite := v.no_limite, falta := ilegivel(x.desconhecidos, ['baixado_em'])) as evidencia
from fatos.causas_do_veiculo('r') v
join registro.veiculos x using (veiculo_id)
