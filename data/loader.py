"""Reads `data/normas/<slug>/` into `Norm` objects, or says everything that is wrong with them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from data.build import build_norm
from data.errors import NormError, Problema
from data.folder import raw_id, read_folder
from data.model import CheckSpec, Norm
from data.overrides import apply_overrides, read_overrides
from data.parameters import parameter_problems
from data.sources import Bruto, show

__all__ = ["ROOT", "NormError", "load_norms", "validate_parameters"]

ROOT = Path(__file__).parent / "normas"


def load_norms(
    root: Path | Sequence[Path] | None = None,
    overrides: Path | None = None,
    catalogue: Mapping[str, CheckSpec] | None = None,
) -> tuple[Norm, ...]:
    """Every norm under `root` (default: the product's own; several folders may be given), sorted by id.

    The overrides file, if any, is laid over them.

    With a `catalogue` (check id → its declared parameters) the parameters are validated too.
    Raises `NormError` listing every problem with file and line.
    """
    raizes = (ROOT,) if root is None else (root,) if isinstance(root, Path) else tuple(root)
    problemas: list[Problema] = []
    pastas: list[Path] = []
    for raiz in raizes:
        achadas = sorted(caminho.parent for caminho in raiz.glob("*/norma.toml"))
        if not achadas:
            problemas.append(Problema(show(raiz), 1, "nenhuma norma: falta <pasta>/norma.toml"))
        pastas.extend(achadas)
    brutas = [(p, read_folder(p, problemas)) for p in pastas]
    ajustes = read_overrides(overrides, problemas) if overrides is not None else ()
    apply_overrides(ajustes, {raw_id(b): b for _, b in brutas}, problemas, catalogue)
    normas: list[Norm] = []
    for pasta, tabelas in brutas:
        seus = tuple(a for a in ajustes if a.norma == raw_id(tabelas))
        norma = build_norm(pasta, tabelas, seus, problemas)
        if norma is not None:
            normas.append(norma)
    _repeated_ids(brutas, problemas)
    if catalogue is not None:
        problemas.extend(parameter_problems(normas, catalogue))
    if problemas:
        raise NormError(problemas)
    return tuple(sorted(normas, key=lambda n: n.id))


def validate_parameters(norms: Iterable[Norm], catalogue: Mapping[str, CheckSpec]) -> None:
    """Raises `NormError` where a norm's parameters don't fit the types its checks declare."""
    problemas = parameter_problems(norms, catalogue)
    if problemas:
        raise NormError(problemas)


def _repeated_ids(brutas: list[tuple[Path, dict[str, list[Bruto]]]], problemas: list[Problema]) -> None:
    vistos: dict[str, Path] = {}
    for pasta, tabelas in brutas:
        norma = raw_id(tabelas)
        if norma and norma in vistos:
            lugar = tabelas["norma"][0].where(("id",))
            problemas.append(Problema(*lugar, f"a norma {norma} já está na pasta {vistos[norma].name}"))
        vistos.setdefault(norma, pasta)
