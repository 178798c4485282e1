-- Confirmed autos of the vehicle that ground the act. An approved inspection after them settles it: the authority has had the vehicle at hand.
with condutas as (
    select norma, ordem, dispositivo, ocorrencias, dentro_de_dias, coalesce(mesmo_codigo, false) as mesmo_codigo, unnest(codigos) as codigo from r
), citados as (
    select a.norma, a.auto_id, a.veiculo_id, a.codigo, a.ocorrido_em, a.ocorrido_em::date as dia, f.ordem, f.dispositivo, f.ocorrencias, f.dentro_de_dias,
           case when f.mesmo_codigo then a.codigo end as chave
    from fatos.autos a
    join condutas f using (norma, codigo)
    where a.estado_auto = 'confirmado' and a.veiculo_id is not null
), vistoriados as (
    select veiculo_id, max(realizada_em) as ultima_vistoria_em
    from registro.vistorias
    where resultado = 'aprovada' and veiculo_id in (select veiculo_id from citados)
    group by veiculo_id
), contados as (
    -- what was fined at one instant is one occasion
    select c.*, v.ultima_vistoria_em, coalesce(c.dia > v.ultima_vistoria_em, true) as depois_da_vistoria,
           dense_rank() over (partition by c.veiculo_id, c.ordem, c.chave, coalesce(c.dia > v.ultima_vistoria_em, true) order by c.ocorrido_em) as vez,
           dense_rank() over (partition by c.veiculo_id, c.ordem, c.chave order by c.ocorrido_em) as vez_de_sempre
    from citados c
    left join vistoriados v using (veiculo_id)
), datados as (
    select *, max(dia) over (partition by veiculo_id, ordem, chave order by vez_de_sempre
                             range between unbounded preceding and (ocorrencias - 1) preceding) as primeiro_dia
    from contados
), gatilhos as (
    select *,
           depois_da_vistoria and case when dentro_de_dias is null then vez >= ocorrencias
                                       else coalesce(primeiro_dia + dentro_de_dias >= dia, false) end as gatilho,
           coalesce(primeiro_dia + dentro_de_dias = dia, false) as na_borda
    from datados
), fundadas as (
    select *, bool_or(gatilho) over por_regra as fundada, bool_and(na_borda) filter (gatilho) over por_regra as borda
    from gatilhos
    window por_regra as (partition by veiculo_id, ordem, chave)
), veiculos as (
    select norma, veiculo_id, array_to_string(list_distinct(list(dispositivo order by ordem)), '; ') as dispositivo,
           list_sort(list_distinct(list(dispositivo || ': ' || codigo))) as fundamentos,
           list(struct_pack(auto_id, dia, codigo, vez, dispositivo) order by ocorrido_em, auto_id, ordem) as autos,
           any_value(ultima_vistoria_em) as ultima_vistoria_em, bool_and(coalesce(borda, false)) as no_limite
    from fundadas
    where fundada and (depois_da_vistoria or dentro_de_dias is not null)
    group by norma, veiculo_id
)
select v.norma,
       case when ilegivel(x.desconhecidos, ['baixado_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       v.veiculo_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       v.dispositivo,
       struct_pack(placa := x.placa, fundamentos := v.fundamentos, autos := v.autos, ultima_vistoria_em := v.ultima_vistoria_em,
                   no_limite := v.no_limite, falta := ilegivel(x.desconhecidos, ['baixado_em'])) as evidencia
from veiculos v
join registro.veiculos x on x.veiculo_id = v.veiculo_id and x.norma = v.norma
where not x.baixado and not x.dono_silencioso
