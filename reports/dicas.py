"""Commands told to a person: they must run as printed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

BANCO_PADRAO = Path("var/emdia.duckdb")


def shown(path: str | Path) -> str:
    """A path as people read it: no `./` and no `..` in the middle."""
    return os.path.normpath(path)


def command(*argumentos: str, warehouse: str | Path | None = None) -> str:
    """A command line by the name the program was called by, with `--warehouse` where it isn't the default.

    bin/emdia tells its name in EMDIA_CHAMADO; without it, `emdia`.
    """
    partes = [os.environ.get("EMDIA_CHAMADO") or "emdia", *argumentos]
    if warehouse is not None and Path(warehouse).absolute() != BANCO_PADRAO.absolute():
        partes += ["--warehouse", shown(warehouse)]
    return shlex.join(partes)
