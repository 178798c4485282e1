"""Everything a notice tells, gathered in SQL for all operators at once and handed over one operator at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import jinja2

from notices.compose.facts import Night
from notices.compose.settings import ComposeSettings
from notices.compose.steps import step_order, windows
from notices.compose.wording import for_the_body
from sql.acts import only_in_favour
from sql.layers import ROOT, run_file
from sql.points import weigh_autos

LAYER = ROOT / "avisos"
FOREVER = 1_000_000  # days: a window without an end
BATCH = 1000  # operators read at a time


@dataclass(frozen=True)
class Gathered:
    """One operator: who it is, and the rows of what is told."""

    titular: Mapping[str, Any]
    linhas: list[Mapping[str, Any]]


def gather(
    con: duckdb.DuckDBPyConnection, night: Night, settings: ComposeSettings, *, urgente: bool
) -> Iterator[Gathered]:
    """Operators with a step due, in the order of their ids; with `urgente`, only what can't wait for the week."""
    prepare(con, night, settings)
    _run(con, "060_titulares.sql", {"urgente": urgente})
    inicio = 0
    while lote := _rows(con, inicio):
        inicio += BATCH
        for titular in lote:
            yield Gathered(titular, titular["linhas"])


def prepare(con: duckdb.DuckDBPyConnection, night: Night, settings: ComposeSettings) -> None:
    """Write the temporary tables `avisos_*`. Of the connection alone: a warehouse open for reading will do."""
    if not con.execute("select 1 from duckdb_tables() where table_name = 'entregue' and temporary").fetchall():
        con.execute(
            "create temp table entregue (destinatario_id varchar, achado_id varchar, degrau varchar, reaberta integer)"
        )
    janelas = windows(settings)
    ordem = step_order(settings)
    run = {"as_of": night.as_of, "execucao_id": night.execucao_id}
    _run(con, "010_degraus.sql", {"degraus": list(ordem), "ordens": list(ordem.values())})
    hold_back(con, night)
    _run(con, "020_prazos.sql", run)
    _run(
        con,
        "030_itens.sql",
        {
            **run,
            "nao_avisar": sorted({*settings.nao_avisar, *for_the_body()}),
            "so_a_favor": list(only_in_favour()),
            "degraus": [w.degrau for w in janelas],
            "ordens": [w.ordem for w in janelas],
            "inicios": [w.de for w in janelas],
            "fins": [FOREVER if w.ate is None else w.ate for w in janelas],
            "consequencias": list(settings.imediato_consequencias),
            "titulos": list(settings.imediato_titulo_verificacoes),
            "titulo_dias": settings.imediato_titulo_dias,
            "defesa_uteis": settings.imediato_defesa_dias_uteis,
        },
    )
    con.execute(
        "create or replace temp table avisos_alvo as select distinct p.pid from registro.permissionarios p"
        " semi join avisos_itens i using (permissionario_id) semi join norma.pontuacao n on n.norma = p.norma"
    )
    weigh_autos(con, "avisos_alvo", "avisos_pontos_autos")
    con.execute(_render("040_pontos.sql.j2", autos="avisos_pontos_autos"), {"as_of": night.as_of})
    with_subjects(con, "avisos_itens", "avisos_linhas")
    _run(con, "055_em_julgamento.sql", run)


def hold_back(con: duckdb.DuckDBPyConnection, night: Night) -> None:
    """Write the temporary table `avisos_retidos`: what may still change, and is not demanded meanwhile."""
    try:
        _run(con, "015_retidos.sql", {"execucao_id": night.execucao_id})
    except duckdb.CatalogException:  # the last night is of a version that told no cautions
        con.execute("create or replace temp table avisos_retidos (achado_id varchar)")


def with_subjects(con: duckdb.DuckDBPyConnection, itens: str, destino: str) -> None:
    """Write the temporary table `destino`: the rows of `itens` with what `notices.compose.subjects` tells of them.

    `itens` has norma, permissionario_id, sujeito_tipo, sujeito_id, codigo and fato_em.
    """
    con.execute(_render("050_linhas.sql.j2", itens=itens, destino=destino))


def _render(name: str, **valores: str) -> str:
    texto = (LAYER / name).read_text(encoding="utf-8")
    return jinja2.Template(texto, undefined=jinja2.StrictUndefined).render(valores)


def _run(con: duckdb.DuckDBPyConnection, name: str, params: Mapping[str, Any]) -> None:
    run_file(con, Path(LAYER / name), params)


def _rows(con: duckdb.DuckDBPyConnection, inicio: int) -> list[Mapping[str, Any]]:
    """The next operators. Read whole, so that the connection is free between two pieces."""
    cursor = con.execute(
        "select * from avisos_titulares where n > $de and n <= $ate order by n", {"de": inicio, "ate": inicio + BATCH}
    )
    nomes = [coluna[0] for coluna in cursor.description or ()]
    return [dict(zip(nomes, linha, strict=True)) for linha in cursor.fetchall()]
