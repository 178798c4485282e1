-- What is deposited of each company against what the norm's sum gives for its permits in force: the largest, once for each holder, with the
-- unit and the fleet of the day of the last deposit (of the as-of day where there is none).
with saldos as (
    select g.norma, g.permissionario_id,
           sum(case when g.movimento in ('deposito', 'reforco') then g.valor else -g.valor end) as saldo,
           max(g.data) filter (g.movimento in ('deposito', 'reforco')) as depositada_em,
           list(struct_pack(dia := g.data, movimento := g.movimento, valor := g.valor) order by g.data, g.movimento) as movimentos
    from registro.garantias g
    group by g.norma, g.permissionario_id
), outorgas as (
    select a.norma, a.permissionario_id, r.parte, r.dispositivo, a.modalidade,
           bool_and(a.incerto is not null or a.falta_fim is not null) as incerta
    from registro.alvaras_ativos a
    join r on r.norma = a.norma and list_contains(r.modalidades, a.modalidade)
    group by all
), maiores as (
    select * from outorgas
    qualify row_number() over (partition by permissionario_id order by incerta, parte desc, modalidade) = 1
), frotas as (
    select o.permissionario_id, count(*) filter (coalesce(f.cadastrado_em <= coalesce(s.depositada_em, $as_of), true)) as frota
    from maiores o
    join fatos.frota f on f.permissionario_id = o.permissionario_id and f.titulo <> 'nenhum'
    left join saldos s on s.permissionario_id = o.permissionario_id
    group by o.permissionario_id
), contas as (
    select h.norma, h.permissionario_id, h.tipo_pessoa, o.modalidade, o.parte, o.dispositivo, o.incerta, p.formula, p.fracao, p.passageiros_por_veiculo,
           p.unidade, p.vezes, p.valor_exigido, coalesce(s.saldo, 0) as saldo, s.movimentos, coalesce(f.frota, 0) as frota, u.valor as valor_unidade
    from registro.permissionarios h
    join p on p.norma = h.norma and p.tipo_pessoa = h.tipo_pessoa
    join maiores o on o.permissionario_id = h.permissionario_id
    left join saldos s on s.permissionario_id = h.permissionario_id
    left join frotas f on f.permissionario_id = h.permissionario_id
    left join fatos.referencias u on u.unidade = p.unidade and coalesce(s.depositada_em, $as_of) >= u.vigente_desde
        and coalesce(s.depositada_em, $as_of) < u.vigente_antes_de
    where not h.silencioso
), exigidas as (
    select *,
           (parte * case formula
               when 'receita_anual' then fracao * passageiros_por_veiculo * valor_unidade * frota
               when 'referencia' then vezes * valor_unidade
               else valor_exigido end)::decimal(18, 2) as exigida,
           nullif(case when incerta then ['alvaras.valido_ate'] else []::varchar[] end
               || case when formula = 'receita_anual' and passageiros_por_veiculo is null then ['passageiros_por_veiculo'] else []::varchar[] end
               || case when formula <> 'valor' and unidade is null then ['unidade']
                       when formula <> 'valor' and valor_unidade is null then ['valores_referencia.' || unidade] else []::varchar[] end
               || case when formula = 'valor' and valor_exigido is null then ['valor_exigido'] else []::varchar[] end, []) as falta
    from contas
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'violacao' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       case when falta is null then exigida - saldo end::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(tipo_pessoa, modalidade, garantia_depositada := saldo::decimal(18, 2), garantia_exigida := case when falta is null then exigida end,
                   conta_da_garantia := struct_pack(formula, parte, fracao, passageiros_por_veiculo, unidade, valor_unidade, vezes, frota), movimentos,
                   falta) as evidencia
from exigidas
where falta is not null or saldo < exigida
