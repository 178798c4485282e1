-- Calendar arithmetic of Civil Code art. 132, once, for SQL and Python alike.
-- DuckDB's own INTERVAL gives the last day of a short month; the Code gives the day after it.
-- `mes_sem_dia` is the norm's parameter: 'dia_seguinte' (Code) or 'ultimo_dia'.
create or replace macro soma_meses(d, n, mes_sem_dia) as (
    (case when day(d) <= day(last_day((date_trunc('month', d) + to_months(n))::date))
          then (date_trunc('month', d) + to_months(n))::date + (day(d)::integer - 1)
          else last_day((date_trunc('month', d) + to_months(n))::date)
               + (case when mes_sem_dia = 'ultimo_dia' then 0 else 1 end)
     end)::date
);
create or replace macro soma_anos(d, n, mes_sem_dia) as soma_meses(d, n * 12, mes_sem_dia);

-- The end of a term of validity (a permit, an age limit): never rolled.
create or replace macro fim_de_prazo(d, quantidade, unidade, mes_sem_dia) as (
    case unidade
        when 'dias' then d + quantidade::integer
        when 'meses' then soma_meses(d, quantidade::integer, mes_sem_dia)
        when 'anos' then soma_anos(d, quantidade::integer, mes_sem_dia)
        when 'fim_do_ano' then make_date(year(d), 12, 31)
    end
);

create or replace macro fim_do_ano(ano) as make_date(ano::integer, 12, 31);

-- What of the columns a check reads could not be read in this row (NULL when all could).
create or replace macro ilegivel(desconhecidos, colunas) as (
    case when desconhecidos is null then null
         else nullif(list_intersect(desconhecidos, colunas), []) end
);

create or replace macro ate(d, as_of) as (case when d <= as_of then d end);
