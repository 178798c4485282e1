"""What is not done again on another date could not have come out otherwise."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from checks.law.catalogue import CheckSpec, load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from data.schema import COLUNAS
from data.tables import register_norms
from flows.steps import run_nightly
from reports import forecast_layers
from reports.forecast import _registry
from reports.forecast_days import Days, turning_days
from reports.forecast_layers import Layers, _read, content, layer_parts
from sql.facts import build_facts, build_registry
from sql.ledger import apply_dispensas
from sql.points import build_points
from tests.flows.base import request, write_folder
from tests.reports.test_forecast import AS_OF, AUTOS, SEVEN

#: Waives the late fine for a while in the middle of what is asked.
DISPENSAS = (
    "dispensa_id;verificacao;sujeito_tipo;sujeito_id;processo;autoridade;motivo;valida_de;valida_ate\n"
    "D1;multa_vencida;auto;N4;9/2026;Juiz;liminar;04/04/2026;09/04/2026\n"
)
NORMS = load_norms()
FOUND = (
    "verificacao, norma, situacao, sujeito_tipo, sujeito_id, devido_em, dispositivo, consequencia, competente, valor"
)


@pytest.fixture(scope="module")
def banco(tmp_path_factory: pytest.TempPathFactory) -> Path:
    raiz = tmp_path_factory.mktemp("dias")
    pasta = write_folder(raiz / "e", autos=AUTOS, dispensas=DISPENSAS)
    assert run_nightly(request(raiz, pasta, AS_OF)).codigo_saida == 0
    return raiz / "w.duckdb"


@pytest.fixture
def con(banco: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with _registry(banco, NORMS, AS_OF + timedelta(days=400)) as con:
        yield con


@pytest.fixture(scope="module")
def catalogue() -> dict[str, CheckSpec]:
    some = (*SEVEN, "valor_divergente", "renovacao_com_debito", "seguro_vencido", "reincidencia_possivel")
    return {name: spec for name, spec in load_catalogue().items() if name in some}


def anew(con: duckdb.DuckDBPyConnection, catalogue: dict[str, CheckSpec], day: date) -> list[tuple[Any, ...]]:
    """The findings of a day with every layer made from the start, as a night makes them."""
    register_norms(con, NORMS, day)
    for layer in (build_registry, build_facts, build_points):
        for _ in layer(con, day):
            pass
    run_checks(con, catalogue, parameter_rows(NORMS, catalogue, day), day)
    apply_dispensas(con, day)
    return con.execute(f"select {FOUND} from resultado.achados where sujeito_id is not null order by all").fetchall()


def test_any_order_of_dates_gives_what_each_gives_alone(
    banco: Path, con: duckdb.DuckDBPyConnection, catalogue: dict[str, CheckSpec]
) -> None:
    nights = Days(con, NORMS)
    # forward, back, the waiver's first and last day and their neighbours, a far date, a day after an unchanged one
    steps = (0, 40, 1, 2, 15, 16, 17, 18, 19, 20, 24, 25, 300, 26, 27, 39)
    days = [AS_OF + timedelta(days=n) for n in steps]
    for day in days:
        assert nights.ask(day, catalogue) == set()
    with _registry(banco, NORMS, AS_OF + timedelta(days=400)) as other:
        for day in days:
            found = con.execute(f"select {FOUND} from previsao where data = $d order by all", {"d": day}).fetchall()
            assert found == anew(other, catalogue, day), day
    waived = con.execute("select min(data), max(data) from previsao where situacao = 'dispensado'").fetchall()
    assert waived == [(date(2026, 4, 4), date(2026, 4, 9))]


def test_what_does_not_look_at_the_date_runs_once(
    con: duckdb.DuckDBPyConnection, catalogue: dict[str, CheckSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: Counter[str] = Counter()

    def count(con: duckdb.DuckDBPyConnection, path: Path, params: dict[str, Any]) -> object:
        ran[path.stem] += 1
        return run_file(con, path, params)

    run_file = forecast_layers.run_file
    monkeypatch.setattr(forecast_layers, "run_file", count)
    asked: Counter[str] = Counter()
    monkeypatch.setattr(
        "reports.forecast_days.run_checks",
        lambda con, some, *rest: asked.update([*some]) or run_checks(con, some, *rest),
    )
    nights = Days(con, NORMS)
    for n in range(30, 36):  # no term ends on these days
        nights.ask(AS_OF + timedelta(days=n), catalogue)
    assert (ran["010_prazos"], ran["030_autos"]) == (1, 6)
    assert asked["pontos_cassacao"] == 1
    assert asked["alvara_vencido"] == 6  # looks at the date


def test_only_what_is_asked_is_made(con: duckdb.DuckDBPyConnection) -> None:
    catalogue = load_catalogue()
    Days(con, NORMS).ask(AS_OF, {"seguro_vencido": catalogue["seguro_vencido"]})
    rows = con.execute("select schema_name || '.' || table_name from duckdb_tables() where database_name = 'memory'")
    made = {name for (name,) in rows.fetchall()}
    assert "registro.veiculos" in made
    assert "fatos.pontos_janelas" not in made


def test_every_relation_that_is_named_is_made_by_some_part() -> None:
    parts = list(layer_parts())
    made = {name for part in parts for name in part.made}
    assert len(made) == sum(len(part.made) for part in parts), "made twice"
    named = {name for part in parts for name in _read(part.text)[1]}
    named |= {name for spec in load_catalogue().values() for name in _read(spec.sql)[1]}
    assert named <= made


def test_comments_are_not_read() -> None:
    assert _read("select 1 -- of registro.x on $as_of\n{#- fatos.y -#}") == (False, frozenset())
    assert _read("from fatos.y where d <= $as_of") == (True, frozenset({"fatos.y"}))


def test_rows_told_apart_by_content_and_place() -> None:
    con = duckdb.connect()
    con.execute("create table a as from (values (1, 'x'), (1, 'x')) v(n, t)")
    assert content(con, "a") != content(con, "(select * from a limit 1)")
    con.execute("create table b as from (values (1, 'x'), (2, 'y')) v(n, t)")
    con.execute("create table c as from (values (2, 'y'), (1, 'x')) v(n, t)")
    assert content(con, "b") == content(con, "c")
    assert content(con, "b", "r.rowid, r") != content(con, "c", "r.rowid, r")


def test_an_unknown_relation_is_left_to_whoever_names_it(con: duckdb.DuckDBPyConnection) -> None:
    register_norms(con, NORMS, AS_OF)
    layers = Layers(con)
    layers.move(AS_OF, 0)
    assert layers.key("select * from registro.nada")[2:] == (("registro.nada", ()),)


def test_between_two_turning_days_the_law_is_one() -> None:
    turns = turning_days(NORMS)
    assert turns == sorted(set(turns))
    con = duckdb.connect()
    last: tuple[int, list[Any]] | None = None
    near = {day + timedelta(days=n) for day in turns[-12:] for n in (-1, 0, 1)}
    for day in sorted(near):
        register_norms(con, NORMS, day)
        now = (bisect_right(turns, day), [content(con, f"norma.{table}") for table in COLUNAS])
        if last is not None and now[0] == last[0]:
            assert now == last, day
        last = now
