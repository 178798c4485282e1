"""What changed between two runs, and what changed around them that may explain it.

The core compares two relations with the columns of `achados`: two runs of the ledger, two runs of one date,
or a run and a simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import duckdb

from reports.diff_model import COMPARED, OPEN, ORDER, SHOWN, Changes, DiffResult, DiffRow, Side, Touch
from reports.diff_rows import File, write_touched
from reports.diff_runs import DiffError, RunInfo, last_run, resolve_run, run_before, run_info
from sql.layers import ROOT, run_file


def diff_runs(
    con: duckdb.DuckDBPyConnection,
    de: str | date | None = None,
    para: str | date | None = None,
    limite: int | None = None,
    reads: Mapping[str, frozenset[str]] | None = None,
    brutos: Path | None = None,
) -> DiffResult:
    """Compare two runs, each named by its id (or the start of it) or by its as-of (the run in force).

    Without `para`, the last run executed; without `de`, the run that `para` took the place of for the same date
    or, if there is none, the run in force on the date before. `reads` gives the extracts each check needs;
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
    reads: Mapping[str, frozenset[str]] | None = None,
    brutos: Path | None = None,
) -> DiffResult:
    """Compare two sides; at most `limite` rows of each kind are returned (None: all), counts are of all."""
    changes = _changes(de.info, para.info)
    known = write_touched(con, brutos, dict(de.arquivos), dict(para.arquivos)).conhecidos
    _build(con, de, para, changes, known)
    totals = con.execute(
        "select tipo, verificacao, norma, count(*) from diff_linhas group by all order by all"
    ).fetchall()
    moves = con.execute(
        "select de.situacao, para.situacao, count(*) from diff_linhas"
        " where de.situacao is distinct from para.situacao group by all"
    ).fetchall()
    position = {situation: at for at, situation in enumerate(ORDER)}
    moves.sort(key=lambda m: (position.get(m[1], len(ORDER)), position.get(m[0], len(ORDER))))
    why: dict[tuple[str, tuple[str, ...]], int] = {}
    for kind, check, norma, subject_kind, waived, held, extracts, n in con.execute(
        "select tipo, verificacao, norma, sujeito_tipo, dispensado, com_titular, extratos, count(*) from diff_linhas"
        " group by all order by all"
    ).fetchall():
        touch = Touch(check, norma, subject_kind, waived, held, tuple(extracts), known)
        key = (kind, tuple(changes.may_explain(touch, (reads or {}).get(check))))
        why[key] = why.get(key, 0) + n
    rows = con.execute(
        "select tipo, achado_id, verificacao, norma, sujeito_tipo, sujeito_id, de, para, colunas, causa, dispensado,"
        " com_titular, extratos from diff_linhas qualify $n is null or row_number() over"
        " (partition by tipo order by ordem, norma, verificacao, sujeito_tipo, sujeito_id) <= $n"
        " order by tipo, ordem, norma, verificacao, sujeito_tipo, sujeito_id",
        {"n": limite},
    ).fetchall()
    con.execute("drop table diff_linhas; drop table diff_tocados")
    lines = []
    for (
        kind,
        achado_id,
        check,
        norma,
        subject_kind,
        subject,
        before,
        after,
        columns,
        cause,
        waived,
        held,
        extracts,
    ) in rows:
        touch = Touch(check, norma, subject_kind, waived, held, tuple(extracts), known)
        explained = changes.may_explain(touch, (reads or {}).get(check))
        lines.append(
            DiffRow(
                kind, achado_id, check, norma, subject_kind, subject, before, after,
                tuple(columns), cause, tuple(explained), tuple(extracts),
            )
        )  # fmt: skip
    return DiffResult(
        de.info, para.info, changes, tuple(totals), tuple(lines), limite,
        tuple(moves), tuple((kind, reasons, n) for (kind, reasons), n in why.items()), _closed(con, para),
    )  # fmt: skip


def _closed(con: duckdb.DuckDBPyConnection, para: Side) -> int | None:
    if para.encerrados is None:
        return None
    (count,) = con.execute(f"select count(*) from {para.encerrados}").fetchall()[0]
    return int(count)


def _build(
    con: duckdb.DuckDBPyConnection, de: Side, para: Side, changes: Changes, known: frozenset[tuple[str, str]]
) -> None:
    """Write the temp table `diff_linhas`."""
    if para.extrato:
        run_file(con, ROOT / "ledger" / "105_sujeitos.sql", {})
    else:
        for view in ("ledger_sujeitos", "ledger_recusados"):
            con.execute(f"create or replace temp view {view} as select '' as tipo, '' as id where false")
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
        create or replace temp table diff_linhas as
        with pares as (
            select achado_id, {", ".join(f"coalesce(d.{c}, p.{c}) as {c}" for c in keys.split(", "))},
                coalesce(p.permissionario_id, d.permissionario_id) as titular,
                coalesce(p.evidencia, d.evidencia) ->> '$.veiculo_id' as veiculo,
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
        ), tocados as (
            select tipo, id, list(distinct extrato order by extrato) as extratos from diff_tocados group by all
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
            coalesce(l.de.situacao = 'dispensado', false) or coalesce(l.para.situacao = 'dispensado', false)
                as dispensado,
            l.titular is not null as com_titular,
            -- a holder's row touches what hangs from it only where the extract does not name the subject itself; a
            -- title is judged with the others of its chain, an auto with the earlier ones, which are its holder's
            list_sort(list_distinct(coalesce(t.extratos, []) || coalesce(v.extratos, [])
                || list_filter(coalesce(h.extratos, []), lambda x:
                    (l.sujeito_tipo in ('alvara', 'auto') and x = l.sujeito_tipo || 's')
                    or not list_contains($nomeados, x || ' ' || l.sujeito_tipo)))) as extratos,
            coalesce(list_position({list(ORDER)}, coalesce(l.para.situacao, l.de.situacao)), 9) as ordem
        from pares l
        left join {closed} e on e.achado_id = l.achado_id and e.visto_em = $visto
        left join cegos c on c.verificacao = l.verificacao and c.norma = l.norma
        left join presentes s on s.tipo = l.sujeito_tipo and s.id = l.sujeito_id
        left join ledger_recusados r on r.tipo = l.sujeito_tipo and r.id = l.sujeito_id
        left join ledger_recusados hr on hr.tipo = 'permissionario' and hr.id = l.titular
        left join diff_parametros m on m.verificacao = l.verificacao and m.norma = l.norma
        left join tocados t on t.tipo = l.sujeito_tipo and t.id = l.sujeito_id
        left join tocados v on v.tipo = 'veiculo' and v.id = l.veiculo
        left join tocados h on h.tipo = 'permissionario' and h.id = l.titular
        where l.de is null or l.para is null or len(l.colunas) > 0
        """,
        {"extrato": para.extrato, "visto": de.info.as_of, "nomeados": sorted(f"{x} {kind}" for x, kind in known)},
    )
    con.execute("drop view ledger_sujeitos; drop view ledger_recusados; drop table diff_parametros")


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
