"""The rows behind each finding that changed: those of the subject itself, else those of what it hangs from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from checks.extracts.contracts import contracts
from reports.diff_model import OWN, Reads, RowChange
from reports.diff_rows import Touched

#: Rows shown beside one finding.
SHOWN_ROWS = 3


def link_rows(
    con: duckdb.DuckDBPyConnection, seen: Touched, reads: Mapping[str, Reads] | None, with_registry: bool
) -> None:
    """Fill the temp table `diff_ligadas` (achado_id, extratos, crus) from `diff_base`, `diff_cruas`, `diff_tocados`.

    Only rows of extracts that the check reads; of a subject that left, only the row that went. The nearest win: the
    subject's own, then its vehicle's and its holder's, each time first in what the check itself asks for.
    `with_registry`: `extrato.veiculos` says whose each vehicle is.
    """
    con.execute("create or replace temp table diff_leituras (verificacao varchar, extrato varchar, propria boolean)")
    asked = [(c, x, True) for c, (own, _) in (reads or {}).items() for x in own]
    asked += [(c, x, False) for c, (own, made_of) in (reads or {}).items() for x in made_of - own]
    if asked:
        con.execute(
            "insert into diff_leituras select unnest($c), unnest($x), unnest($p)",
            {"c": [c for c, _, _ in asked], "x": [x for _, x, _ in asked], "p": [p for _, _, p in asked]},
        )
    own_extract = "case l.sujeito_tipo " + " ".join(f"when '{k}' then '{x}'" for k, x in OWN.items()) + " end"
    fleet = ""
    if with_registry:  # a holder's vehicles, in extracts that name no holder
        fleet = """
            union all
            select l.achado_id, t.cru, 2
            from diff_base l
            join extrato.veiculos v on v.permissionario_id = l.titular
            join diff_tocados t on t.tipo = 'veiculo' and t.id = v.veiculo_id
            where l.sujeito_tipo = 'permissionario'
              and not list_contains($nomeados, t.extrato || ' permissionario')"""
    con.execute(
        f"""
        create or replace temp table diff_ligadas as
        with candidatas as (
            select l.achado_id, t.cru, 1 as perto
            from diff_base l join diff_tocados t on t.tipo = l.sujeito_tipo and t.id = l.sujeito_id
            union all
            select l.achado_id, t.cru, 2 from diff_base l join diff_tocados t on t.tipo = 'veiculo' and t.id = l.veiculo
            where l.sujeito_tipo <> 'veiculo'
            union all
            -- a holder's row touches what hangs from it only where the extract does not name the subject itself; a
            -- title is judged with the others of its chain, an auto with the earlier ones, which are its holder's
            select l.achado_id, t.cru, 2
            from diff_base l join diff_tocados t on t.tipo = 'permissionario' and t.id = l.titular
            where l.sujeito_tipo <> 'permissionario'
              and ((l.sujeito_tipo in ('alvara', 'auto') and t.extrato = l.sujeito_tipo || 's')
                   or not list_contains($nomeados, t.extrato || ' ' || l.sujeito_tipo)){fleet}
        ), lidas as (
            select distinct c.achado_id, c.cru, x.extrato, case
                when r.propria or x.extrato = {own_extract}
                    or l.verificacao not in (select verificacao from diff_leituras) then c.perto
                when r.extrato is not null or x.extrato = 'permissionarios' then c.perto + 2 end as perto
            from candidatas c
            join diff_base l using (achado_id)
            join diff_cruas x using (cru)
            left join diff_leituras r on r.verificacao = l.verificacao and r.extrato = x.extrato
            where coalesce(l.causa, '') <> 'ausente'
               or (x.tipo = 'saiu' and x.extrato in ({own_extract}, 'permissionarios'))
        ), proximas as (
            select * from lidas where perto is not null
            qualify perto = min(perto) over (partition by achado_id)
        )
        select achado_id, list(distinct extrato order by extrato) as extratos, list(distinct cru order by cru) as crus
        from proximas group by achado_id
        """,
        {"nomeados": sorted(f"{x} {kind}" for x, kind in seen.conhecidos)},
    )
    con.execute("drop table diff_leituras")


def read_rows(con: duckdb.DuckDBPyConnection, crus: Sequence[int], with_lines: bool) -> dict[int, RowChange]:
    """The rows by number; `with_lines`: `extrato.*` is what the second run read, and knows their lines."""
    found = con.execute(
        "select cru, extrato, arquivo, tipo, chave, list_transform(colunas, lambda c: [c.coluna, c.antes, c.depois])"
        " from diff_cruas where list_contains($c, cru)",
        {"c": list(crus)},
    ).fetchall()
    lines: dict[tuple[str, str], tuple[str, int]] = {}
    if with_lines:
        for extract in {row[1] for row in found}:
            lines |= _lines(con, extract, [row[4] for row in found if row[1] == extract])
    changes = {}
    for cru, extract, file, kind, key, columns in found:
        file, line = lines.get((extract, key), (file, None)) if kind != "saiu" else (file, None)
        changes[cru] = RowChange(extract, file, line, kind, key, tuple((c[0], c[1], c[2]) for c in columns))
    return changes


def _lines(con: duckdb.DuckDBPyConnection, extract: str, keys: Sequence[str]) -> dict[tuple[str, str], tuple[str, int]]:
    key = contracts()[extract].key
    if key is None:
        return {}
    try:
        rows = con.execute(
            f"select {key}, arquivo, linha from extrato.{extract} where list_contains($k, {key})", {"k": list(keys)}
        ).fetchall()
    except duckdb.Error:  # a warehouse of an earlier version
        return {}
    return {(extract, k): (file, line) for k, file, line in rows}
