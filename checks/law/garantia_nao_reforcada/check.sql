-- The last semester, counted from the first deposit, that ended with no deposit or reinforcement since the one before it; else the one that is
-- about to end so. How much is due hangs on an index from outside the norm: a person decides.
with saldos as (
    select g.norma, g.permissionario_id, p.meses, p.aviso_dias, h.mes_sem_dia,
           min(g.data) filter (g.movimento = 'deposito') as primeiro_em,
           max(g.data) filter (g.movimento = 'reforco' or g.movimento = 'deposito') as ultimo_em,
           max(g.data) filter (g.movimento = 'reforco') as ultimo_reforco_em,
           sum(case when g.movimento in ('deposito', 'reforco') then g.valor else -g.valor end) as saldo
    from registro.garantias g
    join p using (norma)
    join registro.permissionarios h using (permissionario_id)
    where not g.dono_silencioso
    group by all
), semestres as (
    select s.*, j, soma_meses(s.primeiro_em, (j * s.meses)::integer, s.mes_sem_dia) as fim,
           soma_meses(s.primeiro_em, ((j - 1) * s.meses)::integer, s.mes_sem_dia) as inicio
    from saldos s,
         unnest(range(greatest(1, date_diff('month', s.primeiro_em, $as_of) // s.meses - 1), date_diff('month', s.primeiro_em, $as_of) // s.meses + 2)) t(j)
    where s.saldo > 0 and s.primeiro_em is not null
), abertos as (
    select s.*, d.proximo_util as prazo, $as_of > d.proximo_util as passado
    from semestres s
    join calendario.dias d on d.norma = s.norma and d.dia = s.fim
), extremos as (
    select * from abertos
    qualify (passado and j = max(j) filter (passado) over (partition by permissionario_id))
         or (not passado and j = min(j) filter (not passado) over (partition by permissionario_id))
)
select norma,
       case when passado then 'para_decisao' else 'a_vencer' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       prazo as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(primeiro_deposito_em := primeiro_em, ultimo_reforco_em, garantia_depositada := saldo::decimal(18, 2), meses,
                   prazo_sem_prorrogar := fim) as evidencia
from extremos
where ultimo_em <= inicio and (passado or prazo - aviso_dias <= $as_of)
qualify row_number() over (partition by permissionario_id order by passado desc) = 1
