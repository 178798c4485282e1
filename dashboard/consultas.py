"""The questions the pages ask of the published copy. Every figure and its table come from the same condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb

from dashboard.copia import Reading
from dashboard.filtros import FACETS, MISSING, VAZIO, Filtro, day_params, relation
from dashboard.recortes import COLUNAS, EXPORTED, OPEN, Recorte

Row = dict[str, Any]
#: Bars of one chart; what is left is told as one.
MOST_BARS = 15
#: Weeks of the trend; with less than three of them, nights.
WEEKS, NIGHTS = 26, 14


#: When the ground of a finding came to be: the last day in time or, where the norm gives none, the first day of the
#: fact its evidence tells; null where neither is known.
GROUND = """coalesce(a.devido_em, try_cast(left(coalesce(
    list_min(json_extract_string(a.evidencia, '$.autos[*].dia')), json_extract_string(a.evidencia, '$.ocorrido_em'),
    json_extract_string(a.evidencia, '$.dia')), 10) as date))"""
#: Orders in which many findings tie, because a first night opens them all on one day.
TIED = ("aberta_em", "idade")


@dataclass(frozen=True)
class Total:
    """Findings, distinct permissionarios, R$."""

    quantidade: int
    permissionarios: int
    valor: Decimal | None


@dataclass(frozen=True)
class Barra:
    """One bar: the value of the facet (`VAZIO`: none written; None: the rest), findings, permissionarios, R$."""

    chave: str | None
    quantidade: int
    permissionarios: int | None
    valor: Decimal | None


@dataclass(frozen=True)
class Ponto:
    """One night of a trend: proved, for decision, and all new ones."""

    as_of: date
    violacao: int
    para_decisao: int
    outros: int
    novos: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.violacao + self.para_decisao + self.outros


def rows(con: duckdb.DuckDBPyConnection, sql: str, params: dict[str, Any] | None = None) -> list[Row]:
    """The rows of a SELECT as dictionaries."""
    cursor = con.execute(sql, params or {})
    names = [d[0] for d in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def total(reading: Reading, recorte: Recorte, filtro: Filtro) -> Total:
    """How many findings the list has under the filter, of how many permissionarios."""
    where = recorte.onde + filtro.where()
    sql = (
        "select count(*), count(distinct a.permissionario_id), sum(a.valor)"
        f" from {relation(recorte.tabela, where)} where {where}"
    )
    found = reading.con.execute(sql, {**filtro.params(), **day_params(sql, reading.as_of)}).fetchall()[0]
    return Total(*found)


def facets(
    reading: Reading, recorte: Recorte, filtro: Filtro, names: Sequence[str] | None = None
) -> dict[str, list[Barra]]:
    """Counts of the list by each of its facets, under the filter, biggest first; one scan for all of them."""
    wanted = [n for n in (names or recorte.facetas) if n != "falta"]
    where = recorte.onde + filtro.where()
    expressions = [f"({FACETS[n]})::varchar as f{i}" for i, n in enumerate(wanted)]
    counts = "count(*), count(distinct pid), sum(valor)"
    parts = [f"select {i} as faceta, f{i} as chave, {counts} from base group by 2" for i in range(len(wanted))]
    if "falta" in (names or recorte.facetas):
        expressions.append(f"{MISSING} as faltas")
        parts.append(
            f"select -1, chave, {counts} from (select unnest(faltas) as chave, pid, valor from base) group by 2"
        )
    sql = (
        f"with base as materialized (select {', '.join(expressions)}, a.permissionario_id as pid, a.valor"
        f" from {relation(recorte.tabela, where, *expressions)} where {where}) {' union all '.join(parts)}"
    )
    found: dict[str, list[Barra]] = {n: [] for n in (names or recorte.facetas)}
    params = {**filtro.params(), **day_params(sql, reading.as_of)}
    for index, chave, *figures in reading.con.execute(sql, params).fetchall():
        name = "falta" if index == -1 else wanted[index]
        found[name].append(Barra(VAZIO if chave is None else chave, *figures))
    return {n: sorted(bars, key=lambda b: (-b.quantidade, b.chave or "")) for n, bars in found.items()}


def page(reading: Reading, recorte: Recorte, filtro: Filtro) -> list[Row]:
    """One page of the table behind the figures, in the order asked for."""
    columns = [COLUNAS[c] for c in dict.fromkeys((*recorte.colunas, "achado_id", "competente", "permissionario_id"))]
    if recorte.tabela == "achados":
        columns += [COLUNAS[c] for c in ("etapa", "prazo_ate") if COLUNAS[c] not in columns]
    order = filtro.ordem or recorte.ordem
    desc = filtro.desc if filtro.ordem else recorte.desc
    where = recorte.onde + filtro.where()
    select = ", ".join(f"{c.sql} as {c.id}" for c in columns)
    sql = (
        f"select {select} from {relation(recorte.tabela, where, select, COLUNAS[order].sql)} where {where}"
        f" order by {_order(order, desc)} limit $limite offset $desde"
    )
    params = {
        **filtro.params(),
        **day_params(sql, reading.as_of),
        "limite": filtro.por_pagina,
        "desde": (filtro.pagina - 1) * filtro.por_pagina,
    }
    return rows(reading.con, sql, params)


def _order(column: str, desc: bool) -> str:
    """ORDER BY of a list: its column, then the oldest ground; those without a day come last, and none is left out."""
    tie = GROUND if column in TIED else "a.devido_em"
    return f"{COLUNAS[column].sql} {'desc' if desc else 'asc'} nulls last, {tie} nulls last, a.achado_id"


def export_columns(recorte: Recorte) -> list[str]:
    """Columns of the spreadsheet: those of the page, then what identifies each finding."""
    contract = EXPORTED if recorte.tabela == "achados" else (*EXPORTED, "causa", "encerrado_em")
    extra = ("etapa", "prazo_ate", "pronto", "processo_id") if recorte.tabela == "achados" else ()
    return list(dict.fromkeys((*recorte.colunas, *contract, *extra)))


def export(reading: Reading, recorte: Recorte, filtro: Filtro, limit: int) -> Iterator[list[tuple[Any, ...]]]:
    """Every row of the list under the filter, in chunks, in the order of the page."""
    order = filtro.ordem or recorte.ordem
    desc = filtro.desc if filtro.ordem else recorte.desc
    where = recorte.onde + filtro.where()
    select = ", ".join(f"{COLUNAS[c].sql} as {c}" for c in export_columns(recorte))
    sql = (
        f"select {select} from {relation(recorte.tabela, where, select, COLUNAS[order].sql)} where {where}"
        f" order by {_order(order, desc)} limit $limite"
    )
    cursor = reading.con.execute(sql, {**filtro.params(), **day_params(sql, reading.as_of), "limite": limit})
    while chunk := cursor.fetchmany(5_000):
        yield chunk


def trend(reading: Reading, recorte: Recorte, filtro: Filtro) -> tuple[str, list[Ponto], list[str]]:
    """`semana` or `noite`, the points up to the as-of (a week is its last night), and the choices not followed."""
    followed = {n: v for n, v in filtro.facetas.items() if n in ("norma", "verificacao", "situacao", "consequencia")}
    ignored = [n for n in filtro.facetas if n not in followed] + (["q"] if filtro.q else [])
    kept = Filtro(followed)
    sql = f"""
        with noites as (
            select distinct as_of, date_trunc('week', as_of)::date as semana from execucao
            where vigente and as_of <= $as_of
        ), semanas as (select max(as_of) as as_of from noites group by semana order by 1 desc limit {WEEKS}),
        escolhidas as (
            select as_of, 'semana' as passo from semanas where (select count(*) from semanas) >= 3
            union all
            (select as_of, 'noite' from noites where (select count(*) from semanas) < 3
             order by as_of desc limit {NIGHTS})
        ), contas as (
            select a.as_of,
                   sum(a.quantidade) filter (a.situacao = 'violacao') as violacao,
                   sum(a.quantidade) filter (a.situacao = 'para_decisao') as para_decisao,
                   sum(a.quantidade) filter (a.situacao not in ('violacao', 'para_decisao')) as outros,
                   sum(a.novos) as novos
            from resumo_diario a where {recorte.onde}{kept.where()} group by 1
        )
        select passo, as_of, coalesce(violacao, 0)::bigint, coalesce(para_decisao, 0)::bigint,
               coalesce(outros, 0)::bigint, coalesce(novos, 0)::bigint
        from escolhidas left join contas using (as_of) order by as_of"""
    found = reading.con.execute(sql, {**kept.params(), "as_of": reading.as_of}).fetchall()
    return (found[0][0] if found else "noite"), [Ponto(*f[1:]) for f in found], ignored


def open_counts(reading: Reading) -> dict[str, Row]:
    """The counts of the cards, all areas in one scan."""
    sql = f"""
        select
            count(*) filter (a.consequencia = 'cassacao' and a.situacao = 'a_vencer') as previstas,
            count(*) filter (a.situacao = 'a_vencer' and a.devido_em between $as_of and $as_of + 30) as em_30,
            count(*) filter (a.situacao = 'a_vencer' and a.devido_em between $as_of and $as_of + 60) as em_60,
            count(*) filter (a.situacao = 'a_vencer' and a.devido_em between $as_of and $as_of + 90) as em_90,
            count(*) filter (a.consequencia in ('suspensao', 'suspensao_matricula') and {OPEN}) as suspensoes,
            count(*) filter (a.consequencia in ('suspensao', 'suspensao_matricula') and {OPEN}
                and n.etapa = 'final') as suspensoes_finais,
            count(*) filter (a.verificacao = 'alvara_vencido' and {OPEN}) as alvaras,
            count(*) filter (a.verificacao = 'multa_vencida' and {OPEN}) as multas,
            sum(a.valor) filter (a.verificacao = 'multa_vencida' and {OPEN}) as multas_valor,
            count(*) filter (a.verificacao = 'multa_vencida' and {OPEN} and a.valor is null) as multas_sem_valor,
            count(*) filter (a.verificacao = 'veiculo_acima_da_idade' and {OPEN}) as frota,
            count(*) filter (a.situacao = 'nao_avaliado') as nao_avaliados,
            count(*) filter (a.consequencia = 'cassacao' and a.situacao = 'nao_avaliado') as cassacoes_nao_avaliadas,
            count(*) filter (a.consequencia = 'cassacao' and a.situacao = 'dispensado') as cassacoes_dispensadas,
            count(*) as todos
        from {relation("achados", "n.")}"""
    return rows(reading.con, sql, {"as_of": reading.as_of})[0]


def cassacao_counts(reading: Reading, norma: str | None) -> Row:
    """What the first figures say besides the total: new tonight, ready, not yet started, decided for good."""
    sql = f"""
        select count(*) filter (a.estado = 'novo' and a.aberta_em = $as_of) as novas,
               count(*) filter (n.pronto) as prontas,
               count(*) filter (n.etapa in ('a_instaurar', 'instaurado')) as por_instaurar,
               count(*) filter (n.etapa = 'final') as finais,
               max($as_of - a.aberta_em) as mais_antiga
        from {relation("achados", "n.")} where a.consequencia = 'cassacao' and {OPEN}
        {"and a.norma = $norma" if norma else ""}"""
    return rows(reading.con, sql, {"as_of": reading.as_of} | ({"norma": norma} if norma else {}))[0]


def closed_recently(reading: Reading, days: int, cassacao: bool) -> list[Row]:
    """Closed in the last days by cause; of cassacoes only when asked."""
    only = "and consequencia = 'cassacao'" if cassacao else ""
    sql = f"""
        select causa, count(*) as quantidade from encerrados
        where encerrado_em > $as_of - $dias and encerrado_em <= $as_of {only}
        group by causa order by (causa <> 'regularizado'), quantidade desc, causa"""
    return rows(reading.con, sql, {"as_of": reading.as_of, "dias": days})
