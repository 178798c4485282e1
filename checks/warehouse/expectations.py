"""Great Expectations, and nothing else of it: small pandas frames in, plain outcomes out.

Imported lazily (the import takes seconds): `warm_up()` starts it in the background while files are read.
Ephemeral context, analytics off, no progress bars, nothing written to disk.
"""

from __future__ import annotations

import logging
import os
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from checks.warehouse.bounds import SEM_VALOR, Pergunta, Resposta

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pergunta", "Resposta", "Validador", "warm_up"]

_SEVERITY = {"critica": "critical", "aviso": "warning"}
_lock = threading.Lock()


def _import() -> Any:
    with _lock:
        os.environ["GX_ANALYTICS_ENABLED"] = "false"
        logging.getLogger("great_expectations").setLevel(logging.WARNING)
        import great_expectations as gx

        return gx


def warm_up() -> threading.Thread:
    """Start importing Great Expectations in a background thread; `ask` waits for it by itself."""
    thread = threading.Thread(target=_quiet_import, name="portao-aquecimento", daemon=True)
    thread.start()
    return thread


def _quiet_import() -> None:
    try:
        _import()
    except Exception:  # the gate itself will meet the same error and report it
        logging.getLogger("emdia.portao").debug("importação antecipada falhou", exc_info=True)


@cache
def _bound_class() -> Any:
    """The library's bound on a column's maximum, with its configuration made once.

    The library makes it anew some fifty times an answer, which is half of what the gate costs.
    """
    from great_expectations.compatibility.pydantic import PrivateAttr
    from great_expectations.expectations import ExpectColumnMaxToBeBetween as Library

    class ExpectMeasureToBeBetween(Library):
        _made: Any = PrivateAttr(default=None)

        @property
        def configuration(self) -> Any:
            if self._made is None:
                self._made = super().configuration
            return self._made

    return ExpectMeasureToBeBetween


class Validador:
    """One ephemeral context for a night; `ask` validates one frame."""

    def __init__(self) -> None:
        self._gx = _import()
        from great_expectations.data_context.types.base import (
            DataContextConfig,
            InMemoryStoreBackendDefaults,
        )

        # The default ephemeral context leaves a temporary folder behind for pages nobody will open.
        config = DataContextConfig(
            store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
            analytics_enabled=False,
        )
        self._context = self._gx.get_context(mode="ephemeral", project_config=config)
        self._context.variables.progress_bars = {"globally": False}
        asset = self._context.data_sources.add_pandas("portao").add_dataframe_asset("quadro")
        self._bound = _bound_class()
        self._batches = asset.add_batch_definition_whole_dataframe("tudo")

    def ask(self, nome: str, medidas: dict[str, float], perguntas: list[Pergunta]) -> list[Resposta]:
        """Validate the one-row frame of ``medidas`` against a suite named ``nome``; answers in order."""
        if not perguntas:
            return []
        import pandas as pd

        frame = pd.DataFrame([{p.id: medidas[p.id] for p in perguntas}], dtype="float64")
        return self.ask_frame(nome, frame, perguntas)

    def ask_frame(self, nome: str, frame: pd.DataFrame, perguntas: list[Pergunta]) -> list[Resposta]:
        """Validate a frame: the greatest value of each asked column must lie within its bounds."""
        suite = self._gx.ExpectationSuite(
            name=nome,
            expectations=[
                self._bound(
                    column=p.id,
                    min_value=p.minimo,
                    max_value=p.maximo,
                    severity=_SEVERITY[p.severidade],
                    description=p.descricao,
                    meta={"id": p.id},
                )
                for p in perguntas
            ],
        )
        batch = self._batches.get_batch({"dataframe": frame})
        answers = {r.expectation_config.meta["id"]: r for r in batch.validate(suite).results}
        return [_read(p, answers.get(p.id)) for p in perguntas]


def _read(pergunta: Pergunta, result: Any) -> Resposta:
    import pandas as pd

    if result is None:
        return Resposta(pergunta.id, None, None, "sem resposta")
    broken = _exception(result.exception_info)
    observed = result.result.get("observed_value")
    if broken is None and (observed is None or pd.isna(observed)):
        # A missing measure passes a bound silently: that is no pass.
        broken = SEM_VALOR
    if broken is not None:
        return Resposta(pergunta.id, None, None, broken)
    return Resposta(pergunta.id, bool(result.success), float(observed))


def _exception(info: dict[str, Any] | None) -> str | None:
    """The message of a check that could not run; the library nests it by metric in one of its two forms."""
    if not info:
        return None
    for entry in (info, *(v for v in info.values() if isinstance(v, dict))):
        if entry.get("raised_exception"):
            return str(entry.get("exception_message") or "erro sem mensagem").strip()
    return None
