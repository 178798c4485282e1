"""Content hashes: the same law gives the same hash wherever its files lie, whatever their comments."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from data.model import Norm


def digest(valor: Any) -> str:
    """SHA-256 of a value, whatever the order of its keys."""
    texto = json.dumps(valor, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(texto.encode()).hexdigest()


def plain(valor: Any, fora: set[str]) -> Any:
    """The value without the fields of those names, at any depth."""
    if isinstance(valor, dict):
        return {k: plain(v, fora) for k, v in valor.items() if k not in fora}
    if isinstance(valor, tuple | list):
        return [plain(v, fora) for v in valor]
    return valor


def norm_hash(norm: Norm) -> str:
    """SHA-256 of everything the norm says, overrides included."""
    return digest(plain(norm.model_dump(exclude={"hash", "slug"}), {"origem", "familia"}))
