-- A code unknown to the norm on the day of the fact, one to which the norm gives neither amount nor group, one whose amount
-- cannot be read in the source, or one that does not reach the function of the person named.
with especiais as materialized (
    select * from (
        select i.kid, i.descricao, i.valor is null and i.grupo is null as sem_grupo, i.valor is null and i.legivel = 'nao' as sem_valor,
               r.funcoes, r.dispositivo as dispositivo_funcao
        from fatos.infracoes i
        join p using (norma)
        left join r on r.norma = i.norma and list_contains(r.codigos, i.codigo)
    )
    where sem_grupo or sem_valor or funcoes is not null
), suspeitos as materialized (
    select l.rid, l.did, e.*
    from fatos.autos_leves l
    left join especiais e using (kid)
    where l.em_servico and (l.kid is null or e.kid is not null)
), julgados as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.ocorrido_em, a.estado_auto, a.valor, a.condutor_id, a.incerto, c.funcao, s.descricao,
           case when s.kid is null then
                    case when a.codigo in (select codigo from fatos.infracoes i where i.nid = a.nid) then 'o código não vigorava no dia do fato'
                         else 'a norma não tem este código' end
                when s.sem_valor then 'o valor deste código está ilegível na fonte'
                when s.sem_grupo then 'a norma não põe este código em grupo nem lhe dá valor'
                when not list_contains(s.funcoes, c.funcao) then 'o código não alcança a função da pessoa autuada' end as motivo,
           case when not s.sem_valor and not s.sem_grupo then s.dispositivo_funcao end as dispositivo
    from suspeitos s
    join fatos.autos a on a.rowid = s.rid
    join p using (norma)
    left join registro.condutores c on c.rowid = s.did and s.funcoes is not null
)
select norma,
       case when incerto is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(codigo, infracao := descricao, ocorrido_em, estado_auto, valor := julgados.valor, condutor_id, funcao, motivo,
                   falta := incerto) as evidencia
from julgados
where motivo is not null
