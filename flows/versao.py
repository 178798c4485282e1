"""Which code gave a result: the release, and a fingerprint of everything a result depends on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import checks
import data
import sql

SUFIXOS = {".py", ".sql", ".j2", ".toml"}


@cache
def code_version() -> str:
    """`0.1.0+1a2b3c4d`: the release and the hash of the code that reads, types, counts and judges.

    The norms are left out: they have their own hash in the run record.
    """
    resumo = hashlib.sha256()
    for pacote in (checks, data, sql):
        raiz = Path(pacote.__path__[0])
        for arquivo in sorted(raiz.rglob("*")):
            if arquivo.suffix in SUFIXOS and not {"normas", "exemplo"} & set(arquivo.parts):
                resumo.update(f"{raiz.name}/{arquivo.relative_to(raiz).as_posix()}\0".encode())
                resumo.update(arquivo.read_bytes())
    return f"{version('emdia')}+{resumo.hexdigest()[:8]}"
