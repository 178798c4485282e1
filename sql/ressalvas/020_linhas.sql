-- The open findings that a row rejected tonight may change: it is of an extract that the check reads, and speaks of the subject;
-- of the vehicle of a permit or of a driver; or of the holder and of nobody else that could be told from the subject.
create or replace temp table ressalvas_linhas as
with abertos as (
    select achado_id, verificacao, sujeito_tipo, sujeito_id, permissionario_id, consequencia
    from achados_historico
    where execucao_id = $execucao_id and situacao in ('violacao', 'a_vencer', 'para_decisao')
), do_sujeito as (
    select a.achado_id, s.n
    from abertos a
    join ressalvas_sujeitos s on s.tipo = a.sujeito_tipo and s.id = a.sujeito_id
    left join ressalvas_leituras l on l.verificacao = a.verificacao and l.extrato = s.extrato
    -- who waives is read by no check, and covers any
    where s.extrato = 'dispensas' or (l.extrato is not null and (l.propria or a.sujeito_tipo <> 'permissionario'))
), da_troca as (
    -- the vehicle that was to take the place of this one
    select a.achado_id, s.n
    from abertos a
    join ressalvas_sujeitos s on s.tipo = 'substitui' and s.id = a.sujeito_id
    join ressalvas_leituras l on l.verificacao = a.verificacao and l.extrato = s.extrato
    where a.sujeito_tipo = 'veiculo' and l.troca
), com_veiculo as (
    select a.*, coalesce(t.veiculo_id, c.veiculo_id) as veiculo, t.linha_id
    from abertos a
    left join extrato.alvaras t on a.sujeito_tipo = 'alvara' and t.alvara_id = a.sujeito_id
    left join extrato.condutores c on a.sujeito_tipo = 'condutor' and c.condutor_id = a.sujeito_id
    where a.sujeito_tipo in ('alvara', 'condutor')
), do_veiculo as (
    select a.achado_id, s.n
    from com_veiculo a
    join ressalvas_sujeitos s on s.tipo = 'veiculo' and s.id = a.veiculo
    join ressalvas_citados c on c.n = s.n
    join ressalvas_leituras l on l.verificacao = a.verificacao and l.extrato = s.extrato
    -- another driver of the same vehicle is another; another permit of it may be the renewal
    where s.extrato <> 'dispensas' and (a.sujeito_tipo = 'alvara' or c.condutor is null)
), do_titular as (
    select a.achado_id, s.n
    from abertos a
    join ressalvas_sujeitos s on s.tipo = 'permissionario' and s.id = a.permissionario_id
    join ressalvas_citados c on c.n = s.n
    join ressalvas_leituras l on l.verificacao = a.verificacao and l.extrato = s.extrato and l.propria
    left join com_veiculo v on v.achado_id = a.achado_id
    where s.extrato <> 'dispensas'
      and case a.sujeito_tipo
              when 'veiculo' then c.veiculo is null and s.extrato <> 'veiculos'
              when 'condutor' then c.veiculo is null and c.condutor is null and s.extrato <> 'condutores'
              when 'auto' then c.auto is null and c.veiculo is null and s.extrato <> 'autos'
              when 'alvara' then (c.veiculo is null or v.veiculo is null) and (c.linha_id = v.linha_id or coalesce(c.linha_id, c.veiculo) is null)
              else false end
), do_processo as (
    -- where the stage of the act is read in the processes
    select a.achado_id, s.n
    from abertos a
    join ressalvas_sujeitos s on s.tipo = 'permissionario' and s.id = a.permissionario_id
    where s.extrato = 'processos' and list_contains($processuais, a.consequencia)
)
from do_sujeito union from da_troca union from do_veiculo union from do_titular union from do_processo;
