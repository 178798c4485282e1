"""The fingerprint of each check covers what of the norm it can read: all of it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import cache

import duckdb
import pytest

from checks.law.engine import run_checks
from checks.law.parameters import check_fingerprints, parameter_rows
from data.model import Norm
from data.rows import Dado
from data.schema import COLUNAS
from sql.layers import ROOT, bind
from sql.lineage import CANDIDATES, WEIGHED, norm_tables
from sql.points import _template
from tests.law.casos import Case, build, catalogue, norms

HOJE = date(2026, 3, 2)
READ = {name: norm_tables(spec.sql) for name, spec in catalogue().items()}
READ_BY_SOME = sorted(frozenset().union(*READ.values()) - {"normas"})


@cache
def before() -> dict[tuple[str, str], str]:
    return of(norms())


def of(some: tuple[Norm, ...]) -> dict[tuple[str, str], str]:
    return check_fingerprints(parameter_rows(some, catalogue(), HOJE), catalogue(), some, HOJE)


def changed(norma: str, campo: str, change: Callable[[Dado], Dado]) -> set[str]:
    """The checks of that norm whose fingerprint changes with the rows of a field; no other norm's may."""
    other = tuple(
        n.model_copy(update={campo: tuple(map(change, getattr(n, campo)))}) if n.id == norma else n for n in norms()
    )
    assert other != norms()
    after = of(other)
    assert after.keys() == before().keys()
    differ = {pair for pair in after if after[pair] != before()[pair]}
    assert {n for n, _ in differ} <= {norma}
    return {check for _, check in differ}


def with_more(name: str) -> Callable[[Dado], Dado]:
    """The row with a bigger amount, where it has one."""
    return lambda row: row if getattr(row, name) is None else row.model_copy(update={name: getattr(row, name) + 1})


def test_points_limits_are_the_business_of_the_points_alone() -> None:
    def more(row: Dado) -> Dado:
        return row.model_copy(update={"limite": tuple(map(with_more("pontos"), row.limite))})

    assert changed("825/2021", "pontuacoes", more) == {"pontos_cassacao"}


def test_a_fee_is_the_business_of_who_reads_the_fees() -> None:
    assert changed("408/2009", "taxas", with_more("valor")) == {"taxa_divergente"}


def test_an_amount_is_the_business_of_who_reads_the_infractions() -> None:
    found = changed("408/2009", "infracoes", with_more("valor"))
    assert {"multa_vencida", "valor_divergente"} <= found
    assert not {"alvara_vencido", "veiculo_acima_da_idade", "seguro_vencido", "taxa_divergente"} & found


def test_a_term_of_permit_is_the_business_of_who_reads_permits() -> None:
    found = changed("408/2009", "outorgas", with_more("quantidade"))
    assert {"alvara_vencido", "taxa_divergente"} <= found
    assert not {"multa_vencida", "veiculo_acima_da_idade", "seguro_vencido"} & found


def test_what_nobody_reads_changes_nothing() -> None:
    assert changed("408/2009", "etapas", lambda row: row.model_copy(update={"prazo": "mil"})) == set()


def test_every_table_named_is_one_of_the_model() -> None:
    assert {table for read in READ.values() for table in read} <= COLUNAS.keys()
    assert all("normas" in read for read in READ.values())


def without(tables: list[str]) -> set[str]:
    """The checks that cannot run once those tables of the norm are gone and every layer is made again."""
    cases = [Case("alvara_vencido", str(k), n.id, HOJE) for k, n in enumerate(norms())]
    con = build(cases, HOJE)
    con.execute("drop schema registro cascade; drop schema fatos cascade")
    for table in tables:
        con.execute(f"drop table norma.{table}")
    for layer in ("registro", "fatos", "pontos"):
        for path in sorted((ROOT / layer).iterdir()):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".j2":
                text = _template(path.name).render(slots=range(1, 4), alvo=CANDIDATES, destino=WEIGHED)
            for statement in con.extract_statements(text):
                with suppress(duckdb.Error):
                    con.execute(statement.query, bind(statement.query, {"as_of": HOJE}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("checks.law.engine.conclude", lambda *_: None)  # reads the registry for itself
        results = run_checks(con, catalogue(), parameter_rows(norms(), catalogue(), HOJE), HOJE)
    con.close()
    assert {r.verificacao for r in results} == catalogue().keys()
    return {r.verificacao for r in results if r.situacao == "falhou"}


@pytest.mark.parametrize("table", READ_BY_SOME)
def test_who_reads_a_table_is_who_cannot_do_without_it(table: str) -> None:
    assert without([table]) == {check for check, read in READ.items() if table in read}


def test_nobody_misses_the_other_tables() -> None:
    assert without(sorted(COLUNAS.keys() - {"normas", *READ_BY_SOME})) == set()
