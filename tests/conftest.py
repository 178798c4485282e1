"""Shared by every test: telemetry off before anything is imported, and Prefect's test server, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flows.telemetry import silence

silence()


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Prefect's own test server with a throw-away database; takes about 25 s, so one for all tests."""
    import os

    from flows.telemetry import prepare_prefect

    os.environ.pop("PREFECT_API_URL", None)
    os.environ["PREFECT_HOME"] = str(tmp_path_factory.mktemp("prefect"))
    prepare_prefect(tmp_path_factory.mktemp("prefect"))

    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=180):
        yield
