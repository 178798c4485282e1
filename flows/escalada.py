"""The lists for who decides, as the command line and the Prefect flow ask for them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from flows.avisos import known_errors, notify
from flows.leis import municipal_norms
from flows.settings import Settings

if TYPE_CHECKING:
    import duckdb

    from notices.delivery.run import Compose, Report
    from notices.escalate.report import ListSummary
    from notices.model import Mensagem


@dataclass(frozen=True)
class Escalated:
    """What was written, and what was sent where sending was asked for."""

    pasta: Path
    listas: list[ListSummary]
    entrega: Report | None


def composer(settings: Settings) -> Compose:
    """Who composes the lists."""
    from notices.escalate import escalation_messages

    normas = municipal_norms(settings)
    return lambda con, as_of: escalation_messages(con, as_of, settings.escalada, normas)


def escalate(settings: Settings, *, as_of: date | None = None, send: bool = False, esperar: float = 0) -> Escalated:
    """Write every list to `<out>/escalada/AAAA-MM-DD` and, with `send`, deliver those that have an address."""
    from notices.delivery.ledger import ledger_path
    from notices.delivery.reading import night, open_reader
    from notices.escalate.report import write_lists
    from notices.model import ESCALADA

    compor = composer(settings)
    with (
        known_errors(),
        open_reader(settings.warehouse, ledger_path(settings.warehouse), settings.envio.espera_banco) as con,
    ):
        dia = night(con, as_of)
        pasta = settings.out / "escalada" / dia.isoformat()
        listas = write_lists(compor(con, dia), pasta)
    if not send:
        return Escalated(pasta, listas, None)

    def with_address(con: duckdb.DuckDBPyConnection, quando: date) -> Iterator[Mensagem]:
        return (m for m in compor(con, quando) if m.destinatario_email)

    entrega = notify(
        settings, ESCALADA, with_address, as_of=dia, send=True, esperar=esperar,
        dizer=lambda texto: print(texto, file=sys.stderr, flush=True),
    )  # fmt: skip
    return Escalated(pasta, listas, entrega)
