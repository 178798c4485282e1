-- Tonight's findings, narrow: identity and class. The fault of a subject keeps its id on every night, so
-- situacao, dates and amounts stay out of it. chr(31) occurs in no check id, norm id or kind of subject, and
-- the subject's own id comes last: two different findings never give the same text.
create or replace temp table ledger_hoje as
select
    rowid as linha,
    verificacao || '-' || left(
        sha256(verificacao || chr(31) || norma || chr(31) || sujeito_tipo || chr(31) || sujeito_id), 16
    ) as achado_id,
    situacao in ('violacao', 'a_vencer', 'para_decisao') as aberto
from resultado.achados;

-- The runs in force on earlier dates, in the order of their dates: nothing of $as_of or later counts, so
-- running a date again gives the same answer.
create or replace temp table ledger_vigentes as
select execucao_id, as_of, ordem, row_number() over (order by as_of) as noite
from execucao_vigente
where as_of < $as_of;
