"""What changed between two runs, and what changed around them that may explain it.

The core compares two relations with the columns of `achados`: two runs of the ledger, two runs of one date,
or a run and a simulation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from reports.diff_causes import SHOWN_ROWS, link_rows, read_rows
from reports.diff_model import COMPARED, OPEN, ORDER, SHOWN, Changes, DiffResult, DiffRow, Reads, Side, Touch, Why
from reports.diff_rows import File, Touched, write_touched
from reports.diff_runs import DiffError, RunInfo, last_run, resolve_run, run_before, run_info
from sql.layers import ROOT, run_file

#: The columns of `diff_linhas` that make a `Touch`.
TOUCH = "verificacao, norma, sujeito_tipo, por_dispensa, com_titular, saiu, cruzou, extratos"


def diff_runs(
    con: duckdb.DuckDBPyConnection,
    de: str | date | None = None,
    para: str | date | None = None,
    limite: int | None = None,
    reads: Mapping[str, Reads] | None = None,
    brutos: Path | None = None,
) -> DiffResult:
    """Compare two runs, each named by its id (or the start of it) or by its as-of (the run in force).

    Without `para`, the last run executed; without `de`, the run that `para` took the place of for the same date
    or, if there is none, the run in force on the date before. `reads` gives the extracts each check reads;
    `brutos` is the folder of the files as received, to see whose rows changed.
    """
    if con.execute("select 1 from information_schema.tables where table_name = 'schema_versao'").fetchall():
        raise DiffError("a cópia publicada só tem a última noite inteira; compare no banco do município.")
    para_id = resolve_run(con, para) if para is not None else last_run(con)
    de_id = resolve_run(con, de) if de is not None else run_before(con, para_id)
    return compare(con, _side(con, de_id), _side(con, para_id), limite, reads, brutos)


def compare(
    con: duckdb.DuckDBPyConnection,
    de: Side,
    para: Side,
    limite: int | None = None,
    reads: Mapping[str, Reads] | None = None,
    brutos: Path | None = None,
) -> DiffResult:
    """Compare two sides; at most `limite` rows of each kind are returned (None: all), counts are of all."""
    changes = replace(_changes(de.info, para.info), ajustes=_overrides(con) if para.extrato else ())
    seen = write_touched(con, brutos, de.arquivos, para.arquivos)
    _build(con, de, para, changes, seen, reads)
    totals = con.execute(
        "select tipo, verificacao, norma, count(*) from diff_linhas group by all order by all"
    ).fetchall()
    moves = con.execute(
        "select de.situacao, para.situacao, count(*) from diff_linhas"
        " where de.situacao is distinct from para.situacao group by all"
    ).fetchall()
    position = {situation: at for at, situation in enumerate(ORDER)}
    moves.sort(key=lambda m: (position.get(m[1], len(ORDER)), position.get(m[0], len(ORDER))))
    why: dict[tuple[str, Why], int] = {}
    for kind, *told, n in con.execute(
        f"select tipo, {TOUCH}, count(*) from diff_linhas group by all order by all"
    ).fetchall():
        key = (kind, _why(changes, told, reads, seen))
        why[key] = why.get(key, 0) + n
    rows = con.execute(
        f"select tipo, achado_id, sujeito_id, de, para, colunas, causa, dispensa, crus, {TOUCH} from diff_linhas"
        " qualify $n is null or row_number() over"
        " (partition by tipo order by ordem, norma, verificacao, sujeito_tipo, sujeito_id) <= $n"
        " order by tipo, ordem, norma, verificacao, sujeito_tipo, sujeito_id",
        {"n": limite},
    ).fetchall()
    raw = read_rows(con, [cru for row in rows for cru in row[8][:SHOWN_ROWS]], para.extrato)
    con.execute("drop table diff_linhas; drop table diff_tocados; drop table diff_cruas")
    lines = []
    for kind, achado_id, subject, before, after, columns, cause, waiver, crus, *told in rows:
        check, norma, subject_kind = told[:3]
        because = _why(changes, told, reads, seen)
        shown = crus if because.registro else []
        lines.append(
            DiffRow(
                kind, achado_id, check, norma, subject_kind, subject, before, after, tuple(columns), cause, because,
                tuple(raw[cru] for cru in shown[:SHOWN_ROWS]), len(shown),
                _waiver(waiver),
            )
        )  # fmt: skip
    return DiffResult(
        de.info, para.info, changes, tuple(totals), tuple(lines), limite,
        tuple(moves), tuple((kind, because, n) for (kind, because), n in why.items()), _closed(con, para),
    )  # fmt: skip


def _why(changes: Changes, told: Sequence[Any], reads: Mapping[str, Reads] | None, seen: Touched) -> Why:
    check, norma, subject_kind, waived, held, gone, crossed, extracts = told
    touch = Touch(check, norma, subject_kind, waived, held, gone, crossed, tuple(extracts))
    return changes.may_explain(touch, (reads or {}).get(touch.verificacao), seen)


def _waiver(told: str | None) -> tuple[str, str] | None:
    """(id, process) of a dispensa as the evidence tells it."""
    act = json.loads(told) if told else {}
    return (str(act["dispensa_id"]), str(act.get("processo") or "")) if act.get("dispensa_id") else None


def _overrides(con: duckdb.DuckDBPyConnection) -> tuple[tuple[str, str], ...]:
    """The municipality's own values that the last run judged by, (norma, text)."""
    try:
        rows = con.execute(
            "select norma, concat_ws(' ', coalesce(verificacao, tabela), chave) || '.' || parametro || ' = ' || valor"
            " || ' (' || ato || ')' from norma.ajustes order by all"
        ).fetchall()
    except duckdb.Error:  # a warehouse of before there were any
        return ()
    return tuple((norma, text) for norma, text in rows)


def _closed(con: duckdb.DuckDBPyConnection, para: Side) -> int | None:
    if para.encerrados is None:
        return None
    (count,) = con.execute(f"select count(*) from {para.encerrados}").fetchall()[0]
    return int(count)


def _subjects(con: duckdb.DuckDBPyConnection, para: Side) -> bool:
    """Make the views of the subjects in the extracts of the second run; False where they are not at hand any more."""
    if para.extrato:
        try:
            run_file(con, ROOT / "ledger" / "105_sujeitos.sql", {})
            con.execute("select 1 from ledger_sujeitos, ledger_recusados limit 0")
        except duckdb.CatalogException:  # read by an earlier version of the program
            pass
        else:
            return True
    for view in ("ledger_sujeitos", "ledger_recusados"):
        con.execute(f"create or replace temp view {view} as select '' as tipo, '' as id where false")
    return False


def _build(
    con: duckdb.DuckDBPyConnection,
    de: Side,
    para: Side,
    changes: Changes,
    seen: Touched,
    reads: Mapping[str, Reads] | None,
) -> None:
    """Write the temp table `diff_linhas`."""
    subjects = _subjects(con, para)
    con.execute("create or replace temp table diff_parametros (norma varchar, verificacao varchar)")
    if changes.parametros:
        con.executemany("insert into diff_parametros values (?, ?)", [[n, v] for n, v, _ in changes.parametros])
    closed = para.encerrados or "(select null::varchar as achado_id, null::varchar as causa, null::date as visto_em)"
    keys = "verificacao, norma, sujeito_tipo, sujeito_id"
    before = ", ".join(f"{c} := d.{c}" for c in SHOWN)
    after = ", ".join(f"{c} := p.{c}" for c in SHOWN)
    lacking = (
        "select verificacao, norma, coalesce(cast(json_extract(evidencia, '$.falta') as varchar[]), []) as falta"
        " from {} where situacao = 'nao_avaliado' and sujeito_tipo = 'norma'"
    )
    changed = ", ".join(f"case when d.{c} is distinct from p.{c} then '{c}' end" for c in COMPARED)
    con.execute(
        f"""
        create or replace temp table diff_base as
        with pares as (
            select achado_id, {", ".join(f"coalesce(d.{c}, p.{c}) as {c}" for c in keys.split(", "))},
                coalesce(p.permissionario_id, d.permissionario_id) as titular,
                coalesce(p.evidencia, d.evidencia) ->> '$.veiculo_id' as veiculo,
                coalesce(json_extract(p.evidencia, '$.dispensa'), json_extract(d.evidencia, '$.dispensa')) as dispensa,
                case when coalesce(p.situacao in {OPEN}, false)
                     then case when coalesce(d.situacao in {OPEN}, false) then 'mudou' else 'apareceu' end
                     when coalesce(d.situacao in {OPEN}, false) then 'sumiu' else 'fora' end as tipo,
                case when d.achado_id is not null then struct_pack({before}) end as de,
                case when p.achado_id is not null then struct_pack({after}) end as para,
                case when d.achado_id is not null and p.achado_id is not null
                    then list_filter([{changed}], lambda c: c is not null) else [] end as colunas
            from {de.achados} d full join {para.achados} p using (achado_id)
        ), cegos as (
            -- what was lacking on both sides keeps nothing from being seen on one of them
            select distinct n.verificacao, n.norma from ({lacking.format(para.achados)}) n
            where not exists (
                from ({lacking.format(de.achados)}) o
                where o.verificacao = n.verificacao and o.norma = n.norma and list_has_all(o.falta, n.falta)
            )
        ), sumidos as (
            select sujeito_tipo as tipo, sujeito_id as id from pares where para is null
        ), presentes as (
            select distinct s.tipo, s.id from ledger_sujeitos s semi join sumidos using (tipo, id)
        )
        select l.tipo, l.achado_id, l.verificacao, l.norma, l.sujeito_tipo, l.sujeito_id, l.de, l.para, l.colunas,
            case
                when l.tipo <> 'sumiu' and l.para is not null then null
                when l.tipo = 'apareceu' then null
                when l.para is not null then l.para.situacao
                when e.causa is not null then e.causa
                when l.de.situacao = 'nao_avaliado' then 'avaliado'
                when c.verificacao is not null then 'nao_avaliado'
                when $extrato and l.sujeito_tipo <> 'norma' and s.id is null
                    then case when r.id is not null or hr.id is not null then 'nao_avaliado' else 'ausente' end
                when m.verificacao is not null then 'norma_alterada'
                when $extrato then 'regularizado'
                else 'regularizado_ou_ausente'
            end as causa,
            case when l.de is not null and l.para is not null
                    and (l.de.situacao = 'dispensado') <> (l.para.situacao = 'dispensado') 
                then coalesce(l.dispensa, '{{}}'::json) end as dispensa,
            l.titular, l.veiculo,
            coalesce(l.para.situacao = 'violacao' and l.para.devido_em >= $visto and l.para.devido_em < $ate, false)
                as cruzou,
            coalesce(list_position({list(ORDER)}, coalesce(l.para.situacao, l.de.situacao)), 9) as ordem
        from pares l
        left join {closed} e on e.achado_id = l.achado_id and e.visto_em = $visto
        left join cegos c on c.verificacao = l.verificacao and c.norma = l.norma
        left join presentes s on s.tipo = l.sujeito_tipo and s.id = l.sujeito_id
        left join ledger_recusados r on r.tipo = l.sujeito_tipo and r.id = l.sujeito_id
        left join ledger_recusados hr on hr.tipo = 'permissionario' and hr.id = l.titular
        left join diff_parametros m on m.verificacao = l.verificacao and m.norma = l.norma
        where l.de is null or l.para is null or len(l.colunas) > 0
        """,
        {"extrato": subjects, "visto": de.info.as_of, "ate": para.info.as_of},
    )
    link_rows(con, seen, reads, para.extrato)
    con.execute(
        """
        create or replace temp table diff_linhas as
        select b.* exclude (titular, veiculo), b.dispensa is not null as por_dispensa,
            b.titular is not null as com_titular, coalesce(b.causa = 'ausente', false) as saiu,
            coalesce(r.crus, []) as crus, coalesce(r.extratos, []) as extratos
        from diff_base b left join diff_ligadas r using (achado_id)
        """
    )
    con.execute("drop view ledger_sujeitos; drop view ledger_recusados; drop table diff_parametros")
    con.execute("drop table diff_base; drop table diff_ligadas")


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
        arquivos=_files(con, execucao_id),
        extrato=last == [(execucao_id,)],
    )


def _files(con: duckdb.DuckDBPyConnection, execucao_id: str) -> dict[str, list[File]]:
    files: dict[str, list[File]] = {}
    for extract, *file in con.execute(
        "select extrato, arquivo, sha256, codificacao, delimitador from carga"
        " where execucao_id = $id and situacao <> 'recusado' and sha256 is not null order by all",
        {"id": execucao_id},
    ).fetchall():
        files.setdefault(extract, []).append(tuple(file))
    return files
