-- The body's own terms: from the day after the defence, appeal or request came in, rolled; silent once decided.
-- A request for renewal is decided by a later permit of the same holder, line and modalidade.
with pedidos as (
    select a.norma, r.ordem, r.fase, r.dispositivo, r.dias, r.dias_uteis, 'auto' as sujeito_tipo, a.auto_id as sujeito_id, a.permissionario_id,
           case r.fase when 'defesa' then a.defesa_em else a.recurso_em end as recebido_em, a.codigo, a.defesa_em, a.defesa_tempestiva, a.recurso_em,
           null as modalidade, null as linha_id, null::date as renovacao_requerida_em, null::date as fim, a.incerto
    from fatos.autos a
    join r on r.norma = a.norma
        and ((r.fase = 'defesa' and a.defesa_em is not null and a.decisao is null)
             or (r.fase = 'recurso' and a.recurso_em is not null and a.decisao_recurso is null))
    where a.estado_auto <> 'cancelado'
    union all
    select x.norma, r.ordem, r.fase, r.dispositivo, r.dias, r.dias_uteis, 'alvara', x.alvara_id, x.permissionario_id,
           x.renovacao_requerida_em, null, null, null, null, x.modalidade, x.linha_id, x.renovacao_requerida_em, x.fim,
           nullif(list_concat(coalesce(x.incerto, []), coalesce(ilegivel(x.desconhecidos, ['renovacao_requerida_em']), [])), [])
    from registro.alvaras x
    join r on r.norma = x.norma and r.fase = 'renovacao' and coalesce(list_contains(r.modalidades, x.modalidade), true)
    where x.renovacao_requerida_em is not null and not x.morto
      and not exists (select 1 from registro.alvaras n
                      where n.permissionario_id = x.permissionario_id and n.modalidade = x.modalidade
                        and n.linha_id is not distinct from x.linha_id and n.alvara_id <> x.alvara_id
                        and n.emitido_em >= x.renovacao_requerida_em)
), prazos as (
    select q.*, coalesce(u.dia, c.proximo_util) as prazo_ate
    from pedidos q
    join calendario.dias d on d.norma = q.norma and d.dia = q.recebido_em
    left join calendario.dias u on u.norma = q.norma and u.util and u.ordem = d.ordem + q.dias_uteis
    left join calendario.dias c on c.norma = q.norma and c.dia = q.recebido_em + q.dias
), sujeitos as (
    select norma, sujeito_tipo, sujeito_id, permissionario_id, min(prazo_ate) as devido_em,
           string_agg(distinct dispositivo, '; ' order by dispositivo) as dispositivo,
           list(struct_pack(fase, recebido_em, dias, dias_uteis, prazo_ate) order by prazo_ate, ordem) as fases,
           any_value(codigo) as codigo, any_value(defesa_em) as defesa_em, any_value(defesa_tempestiva) as defesa_tempestiva,
           any_value(recurso_em) as recurso_em, any_value(modalidade) as modalidade, any_value(linha_id) as linha_id,
           any_value(renovacao_requerida_em) as renovacao_requerida_em, any_value(fim) as fim, any_value(incerto) as falta
    from prazos
    group by all
)
select s.norma,
       case when s.falta is not null then 'nao_avaliado'
            when $as_of > s.devido_em then 'violacao'
            else 'a_vencer' end as situacao,
       s.sujeito_tipo,
       s.sujeito_id,
       s.permissionario_id,
       case when s.falta is null then s.devido_em end as devido_em,
       null::decimal(18, 2) as valor,
       s.dispositivo,
       struct_pack(codigo := s.codigo, fases := s.fases, defesa_em := s.defesa_em, defesa_tempestiva := s.defesa_tempestiva, recurso_em := s.recurso_em,
                   modalidade := s.modalidade, linha_id := s.linha_id, renovacao_requerida_em := s.renovacao_requerida_em,
                   fim := nullif(s.fim, 'infinity'::date), falta := s.falta) as evidencia
from sujeitos s
join p using (norma)
join registro.permissionarios h using (permissionario_id)
where s.devido_em - p.aviso_dias <= $as_of and not h.silencioso
