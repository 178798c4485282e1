-- A code unknown to the norm on the day of the fact, one to which the norm gives neither amount nor group, one whose amount
-- cannot be read in the source, or one that does not reach the function of the person named.
with infracoes as (
    select i.norma, i.codigo, i.descricao, i.legivel, i.valor is null and i.grupo is null as sem_grupo,
           i.valor is null and i.legivel = 'nao' as sem_valor, r.funcoes, r.dispositivo as dispositivo_funcao,
           coalesce(i.vigente_de, '-infinity'::date) as de, coalesce(i.vigente_ate, 'infinity'::date) as ate
    from norma.infracoes i
    join p using (norma)
    left join r on r.norma = i.norma and list_contains(r.codigos, i.codigo)
), conhecidos as (
    select distinct norma, codigo from infracoes
), autos as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.ocorrido_em, a.estado_auto, a.valor, a.condutor_id, a.incerto,
           i.codigo is not null as vigente, i.descricao, i.sem_grupo, i.sem_valor, i.funcoes, i.dispositivo_funcao
    from fatos.autos a
    join p using (norma)
    left join infracoes i on i.norma = a.norma and i.codigo = a.codigo
        and a.ocorrido_em::date >= i.de and a.ocorrido_em::date <= i.ate
    where a.estado_auto <> 'cancelado' and (i.codigo is null or i.sem_grupo or i.sem_valor or i.funcoes is not null)
), julgados as (
    select a.*, c.funcao,
           case when not a.vigente then
                    case when k.codigo is null then 'a norma não tem este código' else 'o código não vigorava no dia do fato' end
                when a.sem_valor then 'o valor deste código está ilegível na fonte'
                when a.sem_grupo then 'a norma não põe este código em grupo nem lhe dá valor'
                when not list_contains(a.funcoes, c.funcao) then 'o código não alcança a função da pessoa autuada' end as motivo
    from autos a
    left join conhecidos k on k.norma = a.norma and k.codigo = a.codigo
    left join registro.condutores c on c.condutor_id = a.condutor_id and a.funcoes is not null
)
select j.norma,
       case when j.incerto is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       j.auto_id as sujeito_id,
       j.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       case when j.vigente and not j.sem_valor and not j.sem_grupo then j.dispositivo_funcao end as dispositivo,
       struct_pack(codigo := j.codigo, infracao := j.descricao, ocorrido_em := j.ocorrido_em, estado_auto := j.estado_auto, valor := j.valor,
                   condutor_id := j.condutor_id, funcao := j.funcao, motivo := j.motivo, falta := j.incerto) as evidencia
from julgados j
join registro.permissionarios h using (permissionario_id)
where j.motivo is not null and not h.silencioso
