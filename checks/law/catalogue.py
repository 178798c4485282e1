"""The catalogue of checks: every folder of checks/law with a check.toml, no registry to edit."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent

#: Types a parameter may have, and the DuckDB type of its column; a list of strings is an enumeration (text).
TYPES = {
    "inteiro": "INTEGER",
    "decimal": "DECIMAL(18,6)",
    "texto": "VARCHAR",
    "booleano": "BOOLEAN",
    "data": "DATE",
    "lista[texto]": "VARCHAR[]",
    "lista[inteiro]": "INTEGER[]",
}
SUBJECTS = ("permissionario", "veiculo", "alvara", "condutor", "auto", "linha", "norma")
KEYS = {
    "titulo", "por_que", "familia", "sujeito", "exige", "evidencia", "aviso_dias", "segue_pessoa",
    "devido_em", "parametros", "regra",
}  # fmt: skip


class CatalogueError(ValueError):
    """A check folder that cannot be read; the message names the file."""


@dataclass(frozen=True)
class CheckSpec:
    """What one check asks, once for all norms."""

    id: str
    folder: Path
    titulo: str
    por_que: str
    familia: str
    sujeito: str
    exige: tuple[str, ...]
    evidencia: tuple[str, ...]
    aviso_dias: int | None
    #: True where the finding follows the person: a holder cassado or encerrado is not silent.
    segue_pessoa: bool
    #: True where devido_em is the day of the fact, not the last day of a term still to come.
    devido_e_fato: bool = False
    parametros: Mapping[str, Any] = field(default_factory=dict)
    regra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def sql(self) -> str:
        """The check's query."""
        return (self.folder / "check.sql").read_text(encoding="utf-8")


def column_type(declared: str | list[str]) -> str:
    """DuckDB type of a declared parameter type ('inteiro?' is an optional integer)."""
    if isinstance(declared, list):
        return "VARCHAR"
    return TYPES[declared.removesuffix("?")]


def load_check(folder: Path) -> CheckSpec:
    """Read one folder; CatalogueError names what is wrong in which file."""
    path = folder / "check.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{path}: TOML inválido: {error}") from error
    unknown = sorted(set(raw) - KEYS)
    missing = sorted({"titulo", "por_que", "familia", "sujeito", "evidencia"} - set(raw))
    if unknown or missing:
        raise CatalogueError(f"{path}: chaves desconhecidas {unknown}; chaves que faltam {missing}")
    if raw["sujeito"] not in SUBJECTS:
        raise CatalogueError(f"{path}: sujeito {raw['sujeito']!r} não é um de {', '.join(SUBJECTS)}")
    for table in ("parametros", "regra"):
        for name, declared in raw.get(table, {}).items():
            if not isinstance(declared, list) and declared.removesuffix("?") not in TYPES:
                raise CatalogueError(f"{path}: [{table}] {name}: tipo {declared!r} desconhecido")
    if not (folder / "check.sql").exists():
        raise CatalogueError(f"{folder}: falta check.sql")
    return CheckSpec(
        id=folder.name,
        folder=folder,
        titulo=raw["titulo"],
        por_que=raw["por_que"],
        familia=raw["familia"],
        sujeito=raw["sujeito"],
        exige=tuple(raw.get("exige", ())),
        evidencia=tuple(raw["evidencia"]),
        aviso_dias=raw.get("aviso_dias"),
        segue_pessoa=raw.get("segue_pessoa", False),
        devido_e_fato=raw.get("devido_em") == "fato",
        parametros=raw.get("parametros", {}),
        regra=raw.get("regra", {}),
    )


def load_catalogue(root: Path = ROOT) -> dict[str, CheckSpec]:
    """Every check under `root`, by id."""
    return {path.parent.name: load_check(path.parent) for path in sorted(root.glob("*/check.toml"))}
