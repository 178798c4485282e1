"""The row contracts, one extract a file; the file's name is the extract's name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from checks.extracts.columns import Contract

# The extracts that others point to come first, so that their tables exist when links are resolved.
_FIRST = ("permissionarios", "veiculos", "condutores", "linhas")


@cache
def contracts() -> dict[str, Contract]:
    """Every extract of the contract by name, `permissionarios` first."""
    names = sorted(module.name for module in iter_modules(__path__))
    ordered = [*_FIRST, *(name for name in names if name not in _FIRST)]
    return {name: import_module(f"{__name__}.{name}").CONTRACT for name in ordered}
