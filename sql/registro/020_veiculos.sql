-- Vehicles that exist on $as_of, with the holder's norm. `baixado`: withdrawn by then.
-- Where the vehicle has no DETRAN date of its own, the state's calendar by final digit gives the next one
-- (or the last known).
create or replace table registro.veiculos as
with finais as (
    select c.uf, c.final_placa::varchar as final_placa,
           coalesce(min(c.vence_em) filter (c.vence_em >= $as_of), max(c.vence_em)) as vence_em
    from extrato.calendario_licenciamento c
    where c.vence_em is not null
    group by all
)
select v.* exclude (baixado_em, cadastro_atualizado_em, licenciamento_vence_em, declaracao_substituicao_em, funcao, tracao),
       p.norma,
       p.nid,
       p.mes_sem_dia,
       p.silencioso as dono_silencioso,
       ate(v.baixado_em, $as_of) as baixado_em,
       coalesce(v.baixado_em <= $as_of, false) as baixado,
       ate(v.cadastro_atualizado_em, $as_of) as cadastro_atualizado_em,
       ate(v.declaracao_substituicao_em, $as_of) as declaracao_substituicao_em,
       coalesce(v.funcao, 'operacao') as funcao,
       coalesce(v.tracao, 'combustao') as tracao,
       coalesce(v.licenciamento_vence_em, f.vence_em) as licenciamento_vence_em,
       ilegivel(v.desconhecidos, ['baixado_em']) as incerto,
       v.licenciamento_vence_em is null and f.vence_em is not null as licenciamento_pelo_calendario
from extrato.veiculos v
join registro.permissionarios p using (permissionario_id)
left join finais f on f.uf = p.uf and f.final_placa = right(v.placa, 1)
    and not list_contains(coalesce(v.desconhecidos, []), 'licenciamento_vence_em')
where coalesce(v.cadastrado_em <= $as_of, true);
