"""The checks read a document's digits as the load does."""

from __future__ import annotations

import duckdb
import pytest

from checks.extracts.typing.registry_codes import MACROS
from sql.facts import load_macros

GOOD = ("52998224725", "11144477735", "00000000191", "11222333000181", "12ABC34501DE35")
BAD = (
    "52998224726",
    "52998224735",
    "11111111111",
    "00000000000",
    "11222333000182",
    "12ABC34501DE36",
    "5299822472",
    "X",
    "",
)


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    load_macros(con)
    for macro in MACROS:
        con.execute(macro)
    return con


@pytest.mark.parametrize(("document", "good"), [(d, True) for d in GOOD] + [(d, False) for d in BAD])
def test_check_digits(con: duckdb.DuckDBPyConnection, document: str, good: bool) -> None:
    assert con.execute("select coalesce(documento_confere($d), false)", {"d": document}).fetchone() == (good,)


def test_agrees_with_the_load(con: duckdb.DuckDBPyConnection) -> None:
    """Every pair of last digits of many roots: the load warns exactly where the checks see no proof."""
    differ = con.execute(
        """with documentos as (
               select lpad((r * 7919 % 1000000000)::varchar, 9, '0') || lpad(f::varchar, 2, '0') as d
               from range(1, 60) a(r), range(100) b(f)
               union all
               select upper(left(md5(r::varchar), 12)) || lpad(f::varchar, 2, '0') from range(1, 60) a(r), range(100) b(f))
           select count(*) filter (documento_confere(d) <> (cpf_valido(d) or cnpj_valido(d))),
                  count(*) filter (documento_confere(d)) from documentos"""
    ).fetchone()
    assert differ is not None
    assert differ[0] == 0
    assert differ[1] >= 118  # one good pair of digits for each root
