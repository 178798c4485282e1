-- One row per operator written to, with everything that is told, numbered so that it can be read a piece at a time.
create or replace temp table avisos_titulares as
with contados as (
    select l.*, case when l.situacao = 'a_vencer' then coalesce(r.a_vencer, r.texto) else r.texto end as regularizar
    from avisos_linhas l
    left join norma.regularizar r on r.norma = l.norma and r.verificacao = l.verificacao
    where not $urgente or (l.devido and l.urgente)
), linhas as (
    select permissionario_id, list(contados order by achado_id) as linhas
    from contados
    group by permissionario_id
    having bool_or(devido)
)
select row_number() over (order by p.permissionario_id) as n,
       p.permissionario_id, p.nome, p.tipo_pessoa, p.documento, p.email, p.telefone, p.endereco, p.norma,
       m.nome as norma_nome, m.apelido, m.orgao, m.municipio, t.janelas as pontos, j.quantos as em_julgamento, l.linhas
from linhas l
join registro.permissionarios p using (permissionario_id)
join norma.normas m using (norma)
left join avisos_pontos t using (permissionario_id)
left join avisos_em_julgamento j using (permissionario_id);
