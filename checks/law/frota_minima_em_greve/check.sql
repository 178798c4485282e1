-- Days of a declared stoppage on which fewer vehicles of the holder made trips than a part, rounded up, of its fleet. The extracts do
-- not tell a stoppage: while none is declared, a business day that would have fallen short asks for the declaration.
with frotas as (
    select permissionario_id, count(*) filter (funcao <> 'reserva' and titulo = 'do_veiculo' and duvida is null) as frota
    from fatos.frota
    where titulo <> 'nenhum' and norma in (select norma from p)
    group by permissionario_id
), veiculos_do_dia as (
    select o.norma, o.permissionario_id, o.data, bool_or(o.viagens_realizadas > 0) as circulou, bool_or(o.viagens_realizadas is null) as talvez
    from registro.operacao o
    join p using (norma)
    where case when p.greve_de is null then o.data > $as_of - p.janela_dias
               else o.data between p.greve_de and coalesce(p.greve_ate, $as_of) end
    group by o.norma, o.permissionario_id, o.data, o.veiculo_id
), circulacao as (
    select norma, permissionario_id, data, count(*) filter (circulou) as circularam, count(*) filter (talvez) as talvez
    from veiculos_do_dia
    group by norma, permissionario_id, data
), faltosos as (
    select c.norma, c.permissionario_id, f.frota, p.fracao, ceil(p.fracao * f.frota)::integer as minima, p.greve_de, p.greve_ate,
           list(struct_pack(dia := c.data, circularam := c.circularam) order by c.data) as dias_com_falta,
           min(c.data) filter (c.circularam + c.talvez < ceil(p.fracao * f.frota)) as dia
    from circulacao c
    join p using (norma)
    join frotas f using (permissionario_id)
    join calendario.dias d on d.norma = c.norma and d.dia = c.data
    where c.circularam < ceil(p.fracao * f.frota) and (p.greve_de is not null or d.util)
    group by c.norma, c.permissionario_id, f.frota, p.fracao, p.greve_de, p.greve_ate
)
select norma,
       case when greve_de is null or dia is null then 'nao_avaliado' when $as_of > dia then 'violacao' else 'a_vencer' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when greve_de is not null then dia end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(frota_ativa := frota, frota_minima := minima, parte_da_frota := fracao, dias_com_falta, paralisacao_de := greve_de,
                   paralisacao_ate := greve_ate,
                   falta := case when greve_de is null then ['greve_de'] when dia is null then ['operacao.viagens_realizadas'] end) as evidencia
from faltosos
