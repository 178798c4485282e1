-- The last inspection of each vehicle by the day: the last one approved, and the last one with a result (extracts give no hour: an approval
-- on the day of a failure is taken as coming after it). `duvida`: what could not be read in inspections that may be later, the last
-- of them on `duvida_em` ('infinity' where not even the day is known). As the registry stands: a result without a day is in neither.
-- A view: each check pays for the half it reads.
create or replace view fatos.ultimas_vistorias as
with vistas as (
    select veiculo_id, vistoria_id, realizada_em, resultado, ciencia_em, corrigida_em, itens, ilegivel(desconhecidos, ['corrigida_em']) as correcao_ilegivel,
           case when realizada_em is not null then ilegivel(desconhecidos, ['resultado'])
                else ilegivel(desconhecidos, ['realizada_em']) end as duvida
    from registro.vistorias
)
select veiculo_id,
       max(struct_pack(dia := realizada_em, id := vistoria_id)) filter (resultado = 'aprovada' and realizada_em is not null) as aprovada,
       max(struct_pack(dia := realizada_em, aprovada := resultado = 'aprovada', id := vistoria_id, ciencia_em := ciencia_em,
                       corrigida_em := corrigida_em, itens := itens, correcao_ilegivel := correcao_ilegivel))
           filter (resultado in ('aprovada', 'reprovada') and realizada_em is not null) as julgada,
       max(coalesce(realizada_em, 'infinity'::date)) filter (duvida is not null) as duvida_em,
       flatten(list(duvida) filter (duvida is not null)) as duvida
from vistas
group by veiculo_id;
