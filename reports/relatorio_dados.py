"""What relatorio.html tells, read from the warehouse: one small query per section, no HTML here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import duckdb

from reports.formats import mask_cpfs, truncate

Row = dict[str, Any]
SITUACOES = ("violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado")
CAUSAS = ("regularizado", "dispensado", "ausente", "nao_avaliado", "norma_alterada")
#: Every count told per check and norm.
COUNTS = (*SITUACOES, "novos", "reabertos", "encerrados", *(f"fim_{c}" for c in CAUSAS))
#: Columns whose rejected values are a person's number even when malformed.
_DOCUMENTOS = {"documento", "proprietario_documento"}


class RunNotFound(LookupError):
    """The warehouse knows no run of that id."""


def rows_of(con: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
    """The rows of a SELECT as dictionaries."""
    cursor = con.execute(sql, dict(params or {}))
    names = [d[0] for d in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def has_table(con: duckdb.DuckDBPyConnection, schema: str, table: str) -> bool:
    """Whether a table or view exists."""
    return bool(
        con.execute(
            "select 1 from information_schema.tables where table_schema = $s and table_name = $t",
            {"s": schema, "t": table},
        ).fetchall()
    )


def read_run(con: duckdb.DuckDBPyConnection, execucao_id: str) -> Row:
    """The run's own row, its summary and steps parsed."""
    found = rows_of(con, "select * from main.execucao where execucao_id = $id", {"id": execucao_id})
    if not found:
        raise RunNotFound(f"não existe a execução {execucao_id!r} neste banco")
    run = found[0]
    run["resumo"] = json.loads(run["resumo"] or "{}")
    run["etapas"] = json.loads(run["etapas"] or "[]")
    return run


def read_files(con: duckdb.DuckDBPyConnection, execucao_id: str) -> list[Row]:
    """The files of the run, refused and stale ones first, each with whether its counts balance."""
    return rows_of(
        con,
        """
        select extrato, coalesce(arquivo, extrato) as arquivo, lidas, carregadas, rejeitadas, duplicadas,
               ignoradas, avisos, situacao, origem_as_of, motivo, colunas_desconhecidas, codificacao, delimitador,
               lidas = carregadas + rejeitadas + duplicadas + ignoradas as fecha
        from main.carga where execucao_id = $id
        order by case situacao when 'recusado' then 0 when 'defasado' then 1 when 'aceito' then 2 else 3 end,
                 extrato, arquivo""",
        {"id": execucao_id},
    )


def read_gate(con: duckdb.DuckDBPyConnection, execucao_id: str) -> list[Row]:
    """The gate's answers, those that need a person first: broken, critical, warnings; then what passed."""
    return rows_of(
        con,
        """
        select extrato, expectativa, descricao, severidade, sucesso, observado, esperado, detalhe
        from main.gate_resultado where execucao_id = $id
        order by case when sucesso is null then 0 when sucesso then 3
                      when severidade = 'critica' then 1 else 2 end, extrato, expectativa""",
        {"id": execucao_id},
    )


def read_rejects(con: duckdb.DuckDBPyConnection, execucao_id: str, per_file: int) -> list[Row]:
    """One entry per file with anything rejected or warned: totals and the first ``per_file`` lines, masked."""
    totals = rows_of(
        con,
        """
        select extrato, coalesce(arquivo, extrato) as arquivo, count(*) as total,
               count(*) filter (nivel = 'aviso') as avisos, count(*) filter (nivel <> 'aviso') as rejeitados
        from main.rejeitos where execucao_id = $id and nivel <> 'recusado'
        group by all order by rejeitados desc, total desc, arquivo""",
        {"id": execucao_id},
    )
    lines = rows_of(
        con,
        """
        select coalesce(arquivo, extrato) as arquivo, extrato, linha, coluna, valor, motivo, nivel
        from main.rejeitos where execucao_id = $id and nivel <> 'recusado'
        qualify row_number() over (
            partition by extrato, arquivo order by nivel = 'aviso', linha nulls first, coluna, motivo) <= $n
        order by nivel = 'aviso', linha nulls first, coluna, motivo""",
        {"id": execucao_id, "n": per_file},
    )
    for file in totals:
        own = [x for x in lines if (x["extrato"], x["arquivo"]) == (file["extrato"], file["arquivo"])]
        file["linhas"] = [
            x | {"valor": mask_value(x["coluna"], x["valor"]), "motivo": mask_cpfs(x["motivo"])} for x in own
        ]
    return totals


def mask_value(coluna: str | None, valor: str | None) -> str:
    """A rejected value fit for a report: one short line, people's numbers masked even when malformed."""
    text = truncate(valor)
    if coluna in _DOCUMENTOS and len(re.sub(r"\D", "", text)) < 14:
        seen = iter(range(len(text)))
        digits = len(re.sub(r"\D", "", text))
        return re.sub(r"\d", lambda m: m.group() if 3 <= next(seen) < digits - 2 else "*", text)
    return mask_cpfs(text)


def is_last_run(con: duckdb.DuckDBPyConnection, execucao_id: str) -> bool:
    """Whether schemas `resultado` and `norma`, rebuilt every run, are of this run."""
    found = con.execute("select execucao_id from main.ultima_execucao").fetchall()
    return bool(found) and found[0][0] == execucao_id


_TIMES = """
    select verificacao, norma, sum(segundos) as segundos, max(erro) as erro, bool_or(situacao = 'falhou') as falhou
    from resultado.verificacoes group by all"""
_NO_TIMES = """
    select '' as verificacao, '' as norma, null::double as segundos, null::varchar as erro, false as falhou
    where false"""


def read_checks(
    con: duckdb.DuckDBPyConnection, execucao_id: str, titles: Mapping[str, str], current: bool
) -> list[Row]:
    """One entry per check with its norms: counts by situation and estado, closings by cause, time, errors.

    Times and errors are known of the ``current`` run only.
    """
    situacoes = ", ".join(f"coalesce(sum(quantidade) filter (situacao = '{s}'), 0)::bigint as {s}" for s in SITUACOES)
    causas = ", ".join(f"count(*) filter (causa = '{c}') as fim_{c}" for c in CAUSAS)
    columns = [*COUNTS, "segundos"]
    source = _TIMES if current and has_table(con, "resultado", "verificacoes") else _NO_TIMES
    found = rows_of(
        con,
        f"""
        with abertos as (
            select verificacao, norma, {situacoes},
                   coalesce(sum(quantidade) filter (estado = 'novo'), 0)::bigint as novos,
                   coalesce(sum(quantidade) filter (estado = 'reaberto'), 0)::bigint as reabertos
            from main.resumo_historico where execucao_id = $id group by all
        ), fechados as (
            select verificacao, norma, {causas}, count(*) as encerrados
            from main.encerrados_historico where execucao_id = $id group by all
        ), tempos as ({source})
        select verificacao, norma, {", ".join(f"coalesce({c}, 0) as {c}" for c in columns)}, erro,
               coalesce(falhou, false) as falhou
        from abertos full join fechados using (verificacao, norma) full join tempos using (verificacao, norma)
        order by verificacao, norma""",
        {"id": execucao_id},
    )
    checks: dict[str, Row] = {}
    for row in found:
        row["erro"] = truncate(mask_cpfs(row["erro"]), 400)
        check = checks.setdefault(
            row["verificacao"],
            {
                "verificacao": row["verificacao"],
                "titulo": titles.get(row["verificacao"], row["verificacao"]),
                "normas": [],
                "falhou": False,
                "erro": "",
                "total": dict.fromkeys(columns, 0),
            },
        )
        check["normas"].append(row)
        check["falhou"] = check["falhou"] or row["falhou"]
        check["erro"] = check["erro"] or row["erro"]
        for c in columns:
            check["total"][c] += row[c]
    return list(checks.values())


#: From the gravest to the lightest, to show the gravest first.
_GRAVIDADE = (
    "cassacao", "cassacao_matricula", "cancelamento", "suspensao", "suspensao_matricula", "apreensao", "recolhimento",
    "retencao", "impedimento", "multa", "advertencia", "regularizacao", "informacao",
)  # fmt: skip


def read_new_violations(
    con: duckdb.DuckDBPyConnection, execucao_id: str, titles: Mapping[str, str], limit: int
) -> tuple[list[Row], int]:
    """The first ``limit`` violations that were none on the night before, gravest first, and how many there are.

    The night before is the run in force of the last earlier date; on a first night every violation is new.
    """
    found = rows_of(
        con,
        """
        with anterior as (
            select execucao_id from main.execucao_vigente
            where as_of < (select as_of from main.execucao where execucao_id = $id) order by as_of desc limit 1)
        select achado_id, verificacao, sujeito_tipo, sujeito_id, permissionario_id, devido_em, consequencia,
               count(*) over () as total
        from main.achados_historico h
        where execucao_id = $id and situacao = 'violacao' and not exists (
            select 1 from main.achados_historico a where a.execucao_id = (from anterior)
            and a.achado_id = h.achado_id and a.situacao = 'violacao')
        order by coalesce(list_position($gravidade, consequencia), 99), devido_em desc nulls last, achado_id
        limit $n""",
        {"id": execucao_id, "gravidade": list(_GRAVIDADE), "n": limit},
    )
    rows = [r | {"titulo": titles.get(r["verificacao"], r["verificacao"])} for r in found]
    return rows, found[0]["total"] if found else 0


def read_missing(con: duckdb.DuckDBPyConnection, execucao_id: str) -> list[Row]:
    """Why findings could not be evaluated: per check and norm, each missing thing and how many findings."""
    return rows_of(
        con,
        """
        with faltas as (
            select verificacao, norma,
                   unnest(coalesce(
                       nullif(from_json(evidencia->'$.falta', '["varchar"]'), []), ['(não dito)'])) as falta
            from main.achados_historico where execucao_id = $id and situacao = 'nao_avaliado'
        )
        select verificacao, norma, falta, count(*) as quantidade from faltas
        group by all order by quantidade desc, verificacao, norma, falta""",
        {"id": execucao_id},
    )


def read_example(con: duckdb.DuckDBPyConnection, execucao_id: str) -> str | None:
    """The id of one finding, to show how one is explained."""
    found = rows_of(
        con,
        """select min(achado_id) as id from main.achados_historico
           where execucao_id = $id and situacao in ('violacao', 'a_vencer')""",
        {"id": execucao_id},
    )
    return found[0]["id"]


def read_norms(con: duckdb.DuckDBPyConnection, current: bool) -> dict[str, list[Row]]:
    """Norms in force, the municipality's overrides, and the readings adopted, of the current run."""
    tables = {
        "normas": "select norma, nome, municipio, uf, vigente_de, hash from norma.normas order by norma",
        "ajustes": """select norma, coalesce(verificacao, tabela) as onde, chave, parametro, valor, vigente_de,
                             vigente_ate, ato, motivo
                      from norma.ajustes order by norma, onde, parametro""",
        "leituras": """select norma, tabela, chave, dispositivo, leitura, alternativa
                       from norma.leituras order by norma, tabela, chave""",
    }
    return {n: rows_of(con, sql) if current and has_table(con, "norma", n) else [] for n, sql in tables.items()}
