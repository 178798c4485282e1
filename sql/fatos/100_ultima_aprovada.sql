-- The last approved inspection of each vehicle (`vid`: its row in registro.veiculos).
create or replace table fatos.ultima_aprovada as
select x.rowid::integer as vid, max(v.realizada_em) as realizada_em
from registro.vistorias v
join registro.veiculos x using (veiculo_id)
where v.resultado = 'aprovada'
group by x.rowid;
