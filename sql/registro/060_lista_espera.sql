-- Who waits for a permit on the day, as a view: it costs nothing to the nights that do not read it.
create or replace view registro.lista_espera as
select e.*, n.nid from extrato.lista_espera e join registro.normas n using (norma)
where e.requerido_em <= getvariable('as_of');
