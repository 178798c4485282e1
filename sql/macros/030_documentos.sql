-- Check digits of a CPF or CNPJ (also the alphanumeric one) as bare characters. A number that fails is nobody's: it proves nothing
-- about who a person is, and the load has already warned of it.
create or replace macro soma_ponderada(d, pesos) as (
    list_sum(list_transform(range(1, len(pesos) + 1), lambda i: (ascii(d[i]) - 48) * pesos[i]))
);
-- 11 minus the remainder, where 10 and 11 give 0.
create or replace macro digito_confere(d, pesos) as (
    (11 - soma_ponderada(d, pesos) % 11) % 11 % 10 = ascii(d[len(pesos) + 1]) - 48
);
create or replace macro documento_confere(d) as (
    case when d = repeat(d[1], strlen(d)) then false
         when regexp_full_match(d, '[0-9]{11}')
         then digito_confere(d, [10, 9, 8, 7, 6, 5, 4, 3, 2]) and digito_confere(d, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
         when regexp_full_match(d, '[0-9A-Z]{12}[0-9]{2}')
         then digito_confere(d, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) and digito_confere(d, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
         else false
    end
);
