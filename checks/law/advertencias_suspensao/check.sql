-- Confirmed autos of the group since the last decided process of the act that closes the count, either way it was decided.
with contados as (
    select c.pid, d.decidido_em,
           case when d.decidido_em is null then c.autos else list_filter(c.autos, lambda a: a.dia > d.decidido_em) end as autos
    from fatos.autos_do_grupo('p') c
    left join fatos.decididos('p') d using (pid)
)
select h.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := p.grupo, quantidade_autos := len(c.autos), limite_autos := p.quantidade, autos := c.autos,
                   suspensao_anterior_em := c.decidido_em) as evidencia
from contados c
join registro.permissionarios h using (pid)
join p on p.norma = h.norma
where len(c.autos) >= p.quantidade
