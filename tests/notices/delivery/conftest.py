from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notices.delivery.base import nights
from tests.notices.delivery.smtp import Caixa, Servidor, certificate, tls_context


@pytest.fixture
def caixa() -> Caixa:
    return Caixa()


@pytest.fixture
def servidor(caixa: Caixa) -> Iterator[Servidor]:
    """A server on loopback, without TLS."""
    s = Servidor(caixa)
    s.start()
    yield s
    s.stop()


@pytest.fixture(scope="session")
def certificado(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate(tmp_path_factory.mktemp("cert"))


@pytest.fixture
def servidor_tls(caixa: Caixa, certificado: tuple[Path, Path]) -> Iterator[Servidor]:
    """A server that wants STARTTLS and a login."""
    s = Servidor(caixa, tls_context(*certificado))
    s.start()
    yield s
    s.stop()


@pytest.fixture(scope="session")
def modelo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return nights(tmp_path_factory.mktemp("modelo"))


@pytest.fixture
def banco(tmp_path: Path, modelo: Path) -> Path:
    """A municipality with one night, in a folder whose name would upset an address."""
    pasta = tmp_path / "São #1 50%"
    pasta.mkdir()
    return Path(shutil.copy(modelo, pasta / "w.duckdb"))
