"""Sending, as the command line and the Prefect flows ask for it: settings, clock, lock and secrets put together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flows.erros import ErroConhecido, ErroDeUso
from flows.leis import municipal_norms
from flows.relogio import now, today
from flows.settings import Settings
from flows.telemetry import prepare_prefect
from flows.trava import lock

if TYPE_CHECKING:
    from notices.delivery.ledger import Ledger
    from notices.delivery.run import Compose, Delivery, Report
    from notices.delivery.sending import Sent
    from notices.delivery.server import Server

Dizer = Callable[[str], None]


@contextmanager
def known_errors() -> Iterator[None]:
    """Failures of the notices as the command line's own: one Portuguese line."""
    from notices.compose.errors import ComposeError
    from notices.delivery.ledger import LedgerError
    from notices.delivery.outbox import OutboxError
    from notices.delivery.reading import NoNight
    from notices.delivery.run import NotSent
    from notices.delivery.server import ServerError
    from sql.warehouse import WarehouseError

    try:
        yield
    except (ComposeError, NotSent, NoNight, ServerError) as erro:
        raise ErroDeUso(str(erro)) from erro
    except (LedgerError, OutboxError, WarehouseError) as erro:
        raise ErroConhecido(str(erro)) from erro


def build_delivery(settings: Settings, tipo: str, as_of: date | None = None) -> Delivery:
    """What to deliver for one municipality. `as_of` None: its last night."""
    from notices.delivery.eml import valid_sender
    from notices.delivery.run import Delivery

    envio = settings.envio
    de = valid_sender(envio.remetente, envio.remetente_nome or settings.municipio, envio.responder_a)
    if envio.remetente and de is None:
        raise ErroDeUso(f"envio.remetente: «{envio.remetente}» não é um endereço de e-mail.")
    return Delivery(
        tipo,
        as_of,
        settings.warehouse,
        settings.out / "avisos",
        envio,
        today(settings.fuso),
        partial(now, settings.fuso),
        de,
    )


def smtp_server(settings: Settings) -> Server:
    """The mail server of the environment."""
    from notices.delivery.server import read_server

    return read_server(os.environ, partial(_secret, settings))


def _secret(settings: Settings, nome: str) -> str:
    """The value of a Prefect Secret block."""
    prepare_prefect(settings.home(), settings.prefect_api_url)
    from prefect.blocks.system import Secret

    try:
        return str(Secret.load(nome).get())  # type: ignore[union-attr]
    except ValueError:
        raise ErroDeUso(f"não há no Prefect um bloco Secret chamado «{nome}» (EMDIA_SMTP_PASSWORD_BLOCK).") from None


def composer(tipo: str, settings: Settings) -> Compose:
    """Who composes that kind of message."""
    from notices import compose, model

    normas = municipal_norms(settings)
    mensagens = {model.SEMANAL: compose.weekly_messages, model.IMEDIATO: compose.immediate_messages}[tipo]
    return lambda con, as_of: mensagens(con, as_of, settings.avisos, normas)


def notify(
    settings: Settings,
    tipo: str,
    compose: Compose,
    *,
    as_of: date | None = None,
    send: bool = False,
    dry_run: bool = False,
    esperar: float = 0,
    dizer: Dizer = lambda _: None,
) -> Report:
    """Compose and, with `send`, deliver; otherwise fill the outbox (`dry_run`: write nothing at all).

    Used alike for the weekly notices, the immediate ones and the lists. One sender at a time per municipality:
    `esperar` seconds for another one to end.
    """
    from notices.compose.letters import with_letters
    from notices.delivery.ledger import ledger_path
    from notices.delivery.run import deliver, preview
    from notices.model import ESCALADA

    if tipo != ESCALADA and not dry_run:
        compose = with_letters(compose, settings.out / "cartas" / tipo)
    with known_errors():
        pedido = build_delivery(settings, tipo, as_of)
        if not send or dry_run:
            return preview(pedido, compose, escrever=not dry_run)
        server = smtp_server(settings)
        with lock(ledger_path(settings.warehouse), esperar):
            return deliver(pedido, compose, server, dizer)


def approve(
    settings: Settings, rodada: str, por: str, *, send: bool, esperar: float, dizer: Dizer
) -> tuple[int, Sent | None]:
    """Release a run the breaker stopped and, with `send`, send it. Messages released, and what was sent."""
    from notices.delivery.brakes import release
    from notices.delivery.ledger import ledger_path
    from notices.delivery.run import deliver_approved

    with open_ledger(settings) as ledger:
        liberadas = release(ledger, rodada, por)
    if not send:
        return liberadas, None
    with known_errors():
        pedido = build_delivery(settings, rodada)
        server = smtp_server(settings)
        with lock(ledger_path(settings.warehouse), esperar):
            return liberadas, deliver_approved(pedido, server, dizer)


def check_norm(settings: Settings, norma: str) -> None:
    """Refuse a norm nobody knows: a pause mistyped would pause nothing. When norms can't be read, any name goes."""
    from data.errors import NormError
    from data.loader import load_norms

    try:
        conhecidas = [n.id for n in load_norms(settings.norm_roots(), settings.overrides)]
    except NormError:
        return
    if norma not in (*conhecidas, "*"):
        raise ErroDeUso(f"não há norma {norma}; há {', '.join(conhecidas)} (ou * para todas).")


def has_ledger(settings: Settings) -> bool:
    """Whether anything was ever sent, or paused, from this warehouse."""
    from notices.delivery.ledger import ledger_path

    return ledger_path(settings.warehouse).exists()


@contextmanager
def open_ledger(settings: Settings, *, criar: bool = False) -> Iterator[Ledger]:
    """The ledger of a municipality that has one (or `criar`); sending may go on meanwhile. Publishes it at the end."""
    from notices.delivery.ledger import Ledger, ledger_path
    from notices.delivery.publish import deliveries_path, publish_deliveries

    caminho: Path = ledger_path(settings.warehouse)
    if not criar and not caminho.exists():
        raise ErroConhecido(f"ainda não há registro de entregas ({caminho}): nada foi enviado deste banco.")
    with known_errors(), Ledger(caminho, partial(now, settings.fuso)) as ledger:
        yield ledger
        publish_deliveries(ledger, deliveries_path(settings.warehouse))
