"""What must hold whatever the input: row order, splitting and dialect change nothing; twice changes nothing; loads balance."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.exemplo.dialetos import Dialect, as_text
from data.exemplo.generate import registry
from data.exemplo.noites import as_known
from flows.steps import run_nightly
from sql.warehouse import read_warehouse
from tests.flows.base import request

AS_OF = date(2026, 11, 30)
PLAIN = Dialect()
BRAZILIAN = Dialect(encoding="cp1252", separator=";", br=True, crlf=True, upper=True)
DIALECTS = [PLAIN, BRAZILIAN, Dialect(encoding="utf-8-sig", separator="\t"), Dialect(separator="|", br=True)]
#: What a finding is, without what depends on when and where it was seen.
IDENTITY = (
    "achado_id", "verificacao", "norma", "dispositivo", "situacao", "sujeito_tipo", "sujeito_id", "permissionario_id",
    "devido_em", "dias", "consequencia", "competente", "valor", "estado", "aberta_em", "reaberta", "evidencia",
)  # fmt: skip


@cache
def world() -> dict[str, pl.DataFrame]:
    return {name: as_known(name, rows, AS_OF) for name, rows in registry(AS_OF, seed=11, operadores=150).items()}


def write(folder: Path, dialect: Dialect, seed: int | None = None, parts: int = 1) -> Path:
    """The world as CSV: rows shuffled by `seed`, each extract in `parts` files, columns reversed when shuffled."""
    folder.mkdir(parents=True)
    for name, rows in world().items():
        text = as_text(rows, dialect)
        if seed is not None:
            text = text.sample(fraction=1.0, shuffle=True, seed=seed).select(reversed(text.columns))
        if dialect.upper:
            text = text.rename({c: f" {c.upper()} " for c in text.columns})
        size = -(-max(text.height, 1) // parts)
        for part in range(parts):
            piece = text.slice(part * size, size)
            if part and not piece.height:
                continue
            body = piece.write_csv(separator=dialect.separator, line_terminator="\r\n" if dialect.crlf else "\n")
            (folder / f"{name}-{part}.csv").write_bytes(body.encode(dialect.encoding))
    return folder


def findings(out: Path) -> list[tuple[str, ...]]:
    with (out / "achados.csv").open(encoding="utf-8-sig", newline="") as file:
        return [tuple(row[c] for c in IDENTITY) for row in csv.DictReader(file, delimiter=";")]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, ...]]]:
    root = tmp_path_factory.mktemp("base")
    resumo = run_nightly(request(root, write(root / "x", PLAIN), AS_OF))
    assert resumo.codigo_saida == 0, (resumo.erros, resumo.avisos)
    rows = findings(root / "saida")
    assert len(rows) > 100
    return root, rows


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000), parts=st.integers(1, 3), dialect=st.sampled_from(DIALECTS))
def test_order_splitting_and_dialect_change_nothing(
    plain: tuple[Path, list[tuple[str, ...]]],
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    parts: int,
    dialect: Dialect,
) -> None:
    root = tmp_path_factory.mktemp("outra")
    resumo = run_nightly(request(root, write(root / "x", dialect, seed, parts), AS_OF))
    assert resumo.codigo_saida == 0, (resumo.erros, resumo.avisos)
    assert findings(root / "saida") == plain[1]


def test_loads_balance_and_twice_changes_nothing(plain: tuple[Path, list[tuple[str, ...]]]) -> None:
    root, rows = plain
    for _ in range(2):
        run_nightly(request(root, root / "x", AS_OF))
        assert findings(root / "saida") == rows
    with read_warehouse(root / "w.duckdb") as con:
        assert con.execute("select count(*) from execucao").fetchall() == [(1,)]
        unbalanced = con.execute(
            "select arquivo from carga where lidas <> carregadas + rejeitadas + duplicadas + ignoradas"
        ).fetchall()
        assert unbalanced == []
        assert con.execute("select count(distinct achado_id) = count(*) from achados").fetchall() == [(True,)]


def test_the_past_stays_as_it_was(plain: tuple[Path, list[tuple[str, ...]]]) -> None:
    """A later night, then the first date again: the same answer, and what was dated later was not seen."""
    root, rows = plain
    later = run_nightly(request(root, root / "x", AS_OF + timedelta(days=20), "depois"))
    assert later.codigo_saida == 0
    assert findings(root / "depois") != rows
    run_nightly(request(root, root / "x", AS_OF, "de-novo"))
    assert findings(root / "de-novo") == rows
