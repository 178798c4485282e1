-- One form for every way a plate is written (ABC-1234, abc1234 and ABC1C34 are one vehicle); what is no plate stays as typed.
create or replace macro forma_da_placa(p) as (
    case when regexp_full_match(upper(translate(p, ' -.', '')), '[A-Z]{3}[0-9][A-Z0-9][0-9]{2}')
         then upper(translate(p, ' -.', ''))[1:4] || translate(upper(translate(p, ' -.', ''))[5], '0123456789', 'ABCDEFGHIJ')
              || upper(translate(p, ' -.', ''))[6:7]
         else upper(translate(p, ' -.', ''))
    end
);
