"""Two real nights, once for all tests of the dashboard."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from starlette.testclient import TestClient

from sql.warehouse import published_path
from tests.dashboard.base import client, run_nights


@pytest.fixture(scope="session")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse after two nights; the copy of the first lies beside it as `primeira.duckdb`."""
    return run_nights(tmp_path_factory.mktemp("painel"))


@pytest.fixture(scope="session")
def published(nights: Path) -> Path:
    """The published copy of the last night. Not to be changed."""
    return published_path(nights)


@pytest.fixture
def own_copy(published: Path, tmp_path: Path) -> Path:
    """A copy that a test may replace or break."""
    return Path(shutil.copy(published, tmp_path / "m.publicado.duckdb"))


@pytest.fixture(scope="session")
def truth(published: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same copy asked in plain SQL."""
    with duckdb.connect(str(published), read_only=True) as con:
        yield con


@pytest.fixture(scope="session")
def page(published: Path) -> TestClient:
    """The dashboard of the last night, on its own day, seen by management."""
    return client(published)
