-- Set 1 (confirmed autos) reached: violacao. Only set 2 (with those under defence) reached: a_vencer.
-- devido_em is the day of the first auto at which a threshold was reached.
with atingidas as (
    select * from fatos.pontos_janelas where soma >= limite
), primeiras as (
    select permissionario_id, pid, norma, conjunto,
           min(fim) as atingido_em,
           bool_and(soma_sem_limite < limite) as no_limite
    from atingidas
    group by all
), escolhidas as (
    -- with autos in doubt what is confirmed alone still proves; with a process in doubt the windows may be closed
    select p.*, i.autos as autos_incertos,
           case when z.falta is not null then list_concat(z.falta, coalesce(i.falta, [])) when p.conjunto = 2 then i.falta end as falta
    from primeiras p
    left join fatos.pontos_incertos i using (permissionario_id)
    left join fatos.pontos_zerados_incertos z on z.pid = p.pid
    qualify row_number() over (partition by p.permissionario_id order by p.conjunto) = 1
), principais as (
    select e.*, a.meses, a.limite, a.soma, a.desde, a.fim
    from escolhidas e
    join atingidas a on a.pid = e.pid and a.conjunto = e.conjunto and a.fim = e.atingido_em
    qualify row_number() over (partition by e.permissionario_id order by a.meses) = 1
), janelas as (
    select pid, conjunto,
           list(struct_pack(meses, limite, desde, fim, soma) order by fim, meses) as janelas
    from atingidas group by all
), autos as (
    select p.pid, p.conjunto,
           list(struct_pack(auto_id := a.auto_id, dia := a.dia, codigo := a.codigo, grupo := a.grupo, estado_auto := a.estado_auto,
                            agente := case when a.agente[1] = 'c' then 'condutor ' || a.agente[2:] else 'permissionário' end,
                            pontos := a.pontos, pontos_contados := a.pontos_contados, dobrado := a.dobrado,
                            anterior_auto := a.anterior_auto, anterior_em := a.anterior_em)
                order by a.ocorrido_em, a.auto_id) as autos
    from principais p
    join fatos.pontos_autos a on a.pid = p.pid and a.conjunto = p.conjunto and a.dia between p.desde and p.fim
    group by all
)
select p.norma,
       case when p.falta is not null then 'nao_avaliado' when p.conjunto = 1 then 'violacao' else 'a_vencer' end as situacao,
       p.permissionario_id as sujeito_id,
       p.permissionario_id,
       case when p.falta is null then p.atingido_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(conjunto := case when p.conjunto = 1 then 'confirmados' else 'confirmados e em defesa' end,
                   meses := p.meses, limite_pontos := p.limite, soma := p.soma, desde := p.desde, fim := p.fim, no_limite := p.no_limite,
                   janelas := j.janelas, autos := a.autos, processo_anterior_em := z.decidido_em, falta := p.falta) as evidencia
from principais p
join p as parametros on parametros.norma = p.norma
join janelas j on j.pid = p.pid and j.conjunto = p.conjunto
join autos a on a.pid = p.pid and a.conjunto = p.conjunto
left join fatos.pontos_zerados z on z.pid = p.pid
where exists (select 1 from registro.permissionarios r where r.pid = p.pid and not r.silencioso)
union all
-- nobody can say that this holder is below the limits: an auto with points has a column that could not be read
select i.norma, 'nao_avaliado', i.permissionario_id, i.permissionario_id, null, null,
       struct_pack(conjunto := null::varchar, meses := null::integer, limite_pontos := null::integer, soma := null::integer,
                   desde := null::date, fim := null::date, no_limite := null::boolean,
                   janelas := null, autos := list_transform(i.autos, lambda a: struct_pack(auto_id := a, dia := null::date, codigo := null::varchar,
                       grupo := null::varchar, estado_auto := 'incerto', agente := null::varchar, pontos := null::integer, pontos_contados := null::integer,
                       dobrado := null::boolean, anterior_auto := null::varchar, anterior_em := null::date)),
                   processo_anterior_em := null::date, falta := i.falta)
from fatos.pontos_incertos i
join p as parametros using (norma)
join registro.permissionarios r using (permissionario_id)
where not r.silencioso
  and not exists (select 1 from fatos.pontos_janelas j where j.permissionario_id = i.permissionario_id and j.soma >= j.limite)
