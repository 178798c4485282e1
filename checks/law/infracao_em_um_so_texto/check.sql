-- A conduct that only the articles or only the annex has, and what it gives on the day of the fact. A person decides.
select norma,
       case when incerto is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       case when incerto is null then valor_calculado end as valor,
       struct_pack(codigo, conduta, ocorrido_em, estado_auto, valor, conflito := situacao, codigo_artigo, codigo_anexo, grupo_adotado,
                   quantidade := valor_adotado, valor_unidade, valor_calculado, falta := incerto) as evidencia
from fatos.autos_em_conflito('p')
