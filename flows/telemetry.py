"""The environment other people's libraries read at import: telemetry off, Prefect's home and patience.

Called before Prefect or Great Expectations is imported, by the entry points alone.
"""

from __future__ import annotations

import os
from pathlib import Path

SILENCIO = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "GX_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    "SCARF_NO_ANALYTICS": "true",
}
"""Overrides whatever the machine says: no phone-home of any dependency."""

PREFECT = {
    # The embedded server migrates its database on the first run: 20 s, the default, is too little.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "emdia",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    "PREFECT_CLI_PROMPT": "false",
}
"""Defaults only: what the machine says wins."""


def silence() -> None:
    """Turn off the telemetry of every dependency, in this process and its children."""
    os.environ.update(SILENCIO)


def prepare_prefect(home: Path, api_url: str | None = None) -> None:
    """Environment for Prefect: its home (created), the server to use if any, no telemetry.

    A PREFECT_HOME or PREFECT_API_URL already in the environment wins.
    """
    silence()
    for nome, valor in PREFECT.items():
        os.environ.setdefault(nome, valor)
    if api_url:
        os.environ.setdefault("PREFECT_API_URL", api_url)
    os.environ.setdefault("PREFECT_HOME", str(home.absolute()))
    Path(os.environ["PREFECT_HOME"]).mkdir(parents=True, exist_ok=True)
