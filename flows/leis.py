"""The norms of one municipality, as the command line and the flows ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.erros import ErroConhecido
from flows.settings import Settings

if TYPE_CHECKING:
    from data.model import Norm


def municipal_norms(settings: Settings) -> tuple[Norm, ...]:
    """Its norms with its overrides, as the night reads them. Data that can't be used is an `ErroConhecido`."""
    from checks.law.catalogue import load_catalogue
    from data.errors import NormError
    from data.loader import load_norms

    try:
        return load_norms(settings.norm_roots(), settings.overrides, load_catalogue())
    except NormError as erro:
        raise ErroConhecido(str(erro)) from erro
