"""What changed between two runs, and what changed around them that may explain it.

The core compares two relations with the columns of `achados`: two runs of the ledger, two runs of one date,
or a run and a simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import duckdb

from reports.diff_runs import DiffError, RunInfo, last_run, resolve_run, run_before, run_info
from sql.layers import ROOT, run_file

#: What makes a finding another one to look at. Days, estado and dates of the ledger move by themselves.
COMPARED = (
    "situacao",
    "devido_em",
    "valor",
    "dispositivo",
    "consequencia",
    "competente",
    "permissionario_id",
    "evidencia",
)
SHOWN = COMPARED[:-1]
#: Extracts that touch every check: who holds a permit, business days, waivers.
EVERYWHERE = frozenset({"permissionarios", "feriados", "dispensas", "valores_referencia", "processos"})


@dataclass(frozen=True)
class Side:
    """A run and the relation that holds its findings (SQL text, columns of `achados`)."""

    info: RunInfo
    achados: str
    #: Relation with `achado_id, causa, visto_em` of what this run closed, where there is one.
    encerrados: str | None = None
    #: Whether `extrato.*` of the connection is what this run read.
    extrato: bool = False


@dataclass(frozen=True)
class Changes:
    """What differs between the two runs before any finding is looked at."""

    as_of: tuple[date, date] | None
    codigo: tuple[str, str] | None
    #: (extract, `mudou` | `novo` | `ausente`).
    extratos: tuple[tuple[str, str], ...]
    #: (norma, verificacao, `mudou` | `novo` | `ausente`).
    parametros: tuple[tuple[str, str, str], ...]

    def may_explain(self, norma: str, verificacao: str, reads: frozenset[str] | None) -> list[str]:
        """Which of the changes can touch a finding of this check and norm (`reads`: extracts it needs)."""
        found = []
        changed = {extract for extract, _ in self.extratos}
        if changed and (reads is None or changed & (reads | EVERYWHERE)):
            found.append("entrada")
        if any((n, v) == (norma, verificacao) for n, v, _ in self.parametros):
            found.append("norma")
        if self.codigo:
            found.append("codigo")
        if self.as_of:
            found.append("data")
        return found


@dataclass(frozen=True)
class DiffRow:
    """One finding that appeared, is gone (`causa`) or changed (`colunas`), before and after."""

    tipo: str
    achado_id: str
    verificacao: str
    norma: str
    sujeito_tipo: str
    sujeito_id: str
    de: Mapping[str, Any] | None
    para: Mapping[str, Any] | None
    colunas: tuple[str, ...]
    causa: str | None
    pode_explicar: tuple[str, ...]


@dataclass(frozen=True)
class DiffResult:
    """The comparison: the two runs, what changed around them, counts of all and the first rows of each kind."""

    de: RunInfo
    para: RunInfo
    mudancas: Changes
    #: (tipo, verificacao, norma, quantity), the three kinds together.
    totais: tuple[tuple[str, str, str, int], ...]
    linhas: tuple[DiffRow, ...]
    limite: int | None

    def total(self, tipo: str) -> int:
        """How many findings `apareceu`, `sumiu` or `mudou`."""
        return sum(n for kind, _, _, n in self.totais if kind == tipo)


def diff_runs(
    con: duckdb.DuckDBPyConnection,
    de: str | date | None = None,
    para: str | date | None = None,
    limite: int | None = None,
    reads: Mapping[str, frozenset[str]] | None = None,
) -> DiffResult:
    """Compare two runs, each named by its id (or the start of it) or by its as-of (the run in force).

    Without `para`, the last run executed; without `de`, the run that `para` took the place of for the same date
    or, if there is none, the run in force on the date before. `reads` gives the extracts each check needs.
    """
    if con.execute("select 1 from information_schema.tables where table_name = 'schema_versao'").fetchall():
        raise DiffError("a cópia publicada só tem a última noite inteira; compare no banco do município.")
    para_id = resolve_run(con, para) if para is not None else last_run(con)
    de_id = resolve_run(con, de) if de is not None else run_before(con, para_id)
    return compare(con, _side(con, de_id), _side(con, para_id), limite, reads)


def compare(
    con: duckdb.DuckDBPyConnection,
    de: Side,
    para: Side,
    limite: int | None = None,
    reads: Mapping[str, frozenset[str]] | None = None,
) -> DiffResult:
    """Compare two sides; at most `limite` rows of each kind are returned (None: all), counts are of all."""
    changes = _changes(de.info, para.info)
    _build(con, de, para, changes)
    totals = con.execute(
        "select tipo, verificacao, norma, count(*) from diff_linhas group by all order by all"
    ).fetchall()
    rows = con.execute(
        "select * from diff_linhas qualify $n is null or row_number() over"
        " (partition by tipo order by norma, verificacao, sujeito_tipo, sujeito_id) <= $n"
        " order by tipo, norma, verificacao, sujeito_tipo, sujeito_id",
        {"n": limite},
    ).fetchall()
    con.execute("drop table diff_linhas")
    lines = []
    for kind, achado_id, check, norma, subject_kind, subject, before, after, columns, cause in rows:
        explained = changes.may_explain(norma, check, (reads or {}).get(check))
        lines.append(
            DiffRow(
                kind, achado_id, check, norma, subject_kind, subject, before, after,
                tuple(columns), cause, tuple(explained),
            )
        )  # fmt: skip
    return DiffResult(de.info, para.info, changes, tuple(totals), tuple(lines), limite)


def _build(con: duckdb.DuckDBPyConnection, de: Side, para: Side, changes: Changes) -> None:
    """Write the temp table `diff_linhas`."""
    if para.extrato:
        run_file(con, ROOT / "ledger" / "105_sujeitos.sql", {})
    else:
        con.execute("create or replace temp view ledger_sujeitos as select '' as tipo, '' as id where false")
    con.execute("create or replace temp table diff_parametros (norma varchar, verificacao varchar)")
    if changes.parametros:
        con.executemany("insert into diff_parametros values (?, ?)", [[n, v] for n, v, _ in changes.parametros])
    closed = para.encerrados or "(select null::varchar as achado_id, null::varchar as causa, null::date as visto_em)"
    keys = "verificacao, norma, sujeito_tipo, sujeito_id"
    before = ", ".join(f"{c} := d.{c}" for c in SHOWN)
    after = ", ".join(f"{c} := p.{c}" for c in SHOWN)
    changed = ", ".join(f"case when d.{c} is distinct from p.{c} then '{c}' end" for c in COMPARED)
    con.execute(
        f"""
        create or replace temp table diff_linhas as
        with pares as (
            select achado_id, {", ".join(f"coalesce(d.{c}, p.{c}) as {c}" for c in keys.split(", "))},
                case when d.achado_id is null then 'apareceu' when p.achado_id is null then 'sumiu' else 'mudou' end
                    as tipo,
                case when d.achado_id is not null then struct_pack({before}) end as de,
                case when p.achado_id is not null then struct_pack({after}) end as para,
                case when d.achado_id is not null and p.achado_id is not null
                    then list_filter([{changed}], lambda c: c is not null) else [] end as colunas
            from {de.achados} d full join {para.achados} p using (achado_id)
        ), cegos as (
            select distinct verificacao, norma from {para.achados}
            where situacao = 'nao_avaliado' and sujeito_tipo = 'norma'
        ), sumidos as (
            select sujeito_tipo as tipo, sujeito_id as id from pares where tipo = 'sumiu'
        ), presentes as (
            select distinct s.tipo, s.id from ledger_sujeitos s semi join sumidos using (tipo, id)
        )
        select l.tipo, l.achado_id, l.verificacao, l.norma, l.sujeito_tipo, l.sujeito_id, l.de, l.para, l.colunas,
            case
                when l.tipo <> 'sumiu' then null
                when e.causa is not null then e.causa
                when l.de.situacao = 'nao_avaliado' then 'avaliado'
                when c.verificacao is not null then 'nao_avaliado'
                when $extrato and l.sujeito_tipo <> 'norma' and s.id is null then 'ausente'
                when m.verificacao is not null then 'norma_alterada'
                when $extrato then 'regularizado'
                else 'regularizado_ou_ausente'
            end as causa
        from pares l
        left join {closed} e on e.achado_id = l.achado_id and e.visto_em = $visto
        left join cegos c on c.verificacao = l.verificacao and c.norma = l.norma
        left join presentes s on s.tipo = l.sujeito_tipo and s.id = l.sujeito_id
        left join diff_parametros m on m.verificacao = l.verificacao and m.norma = l.norma
        where l.tipo <> 'mudou' or len(l.colunas) > 0
        """,
        {"extrato": para.extrato, "visto": de.info.as_of},
    )
    con.execute("drop view ledger_sujeitos; drop table diff_parametros")


def _changes(de: RunInfo, para: RunInfo) -> Changes:
    def kind(before: object, after: object) -> str:
        return "novo" if before is None else "ausente" if after is None else "mudou"

    extracts = sorted(de.cargas.keys() | para.cargas.keys())
    pairs = sorted(de.parametros.keys() | para.parametros.keys())
    return Changes(
        as_of=(de.as_of, para.as_of) if de.as_of != para.as_of else None,
        codigo=(de.codigo_versao, para.codigo_versao) if de.codigo_versao != para.codigo_versao else None,
        extratos=tuple(
            (x, kind(de.cargas.get(x), para.cargas.get(x))) for x in extracts if de.cargas.get(x) != para.cargas.get(x)
        ),
        parametros=tuple(
            (*pair, kind(de.parametros.get(pair), para.parametros.get(pair)))
            for pair in pairs
            if de.parametros.get(pair) != para.parametros.get(pair)
        ),
    )


def _side(con: duckdb.DuckDBPyConnection, execucao_id: str) -> Side:
    where = f"where execucao_id = '{execucao_id}'"
    last = con.execute("select execucao_id from ultima_execucao").fetchall()
    return Side(
        info=run_info(con, execucao_id),
        achados=f"(select * from achados_historico {where})",
        encerrados=f"(select achado_id, causa, visto_em from encerrados_historico {where})",
        extrato=last == [(execucao_id,)],
    )
