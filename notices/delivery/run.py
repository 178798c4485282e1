"""One run of notices from end to end: compose, keep, brake, send. The command and the Prefect flow both call this."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

import duckdb

from notices.delivery.brakes import Violations, breaker, release, wait_for_approval
from notices.delivery.eml import SEM_REMETENTE, Sender
from notices.delivery.ledger import Clock, Ledger, ledger_path
from notices.delivery.outbox import write_outbox
from notices.delivery.publish import deliveries_path, publish_deliveries
from notices.delivery.queue import Queued, enqueue, run_id
from notices.delivery.reading import held_back, night, open_reader, violations
from notices.delivery.sending import Sent, expire, send_pending
from notices.delivery.server import Server
from notices.delivery.settings import SendingSettings
from notices.delivery.standing import Standings
from notices.delivery.transport import Transport
from notices.model import Mensagem
from reports.formats import count_br
from sql.warehouse import published_path

log = logging.getLogger("emdia.avisos")

Compose = Callable[[duckdb.DuckDBPyConnection, date], Iterator[Mensagem]]
Say = Callable[[str], None]


class NotSent(Exception):
    """The sending can't start; the message (Portuguese) says what is missing."""


@dataclass(frozen=True)
class Delivery:
    """What to do. `as_of` None: the last night. `hoje` and `agora` come from the command line's clock.

    `caixa`: the folder of the outbox. `de` None: no sender configured (nothing can be sent).
    """

    tipo: str
    as_of: date | None
    warehouse: Path
    caixa: Path
    settings: SendingSettings
    hoje: date
    agora: Clock
    de: Sender | None = None


@dataclass
class Report:
    """What came of it. `motivos`: why the breaker asks. `caixa`: the outbox written. `amostra`: one message."""

    rodada: str
    as_of: date
    fila: Queued = field(default_factory=Queued)
    motivos: list[str] = field(default_factory=list)
    pendentes: Sent | None = None  # what earlier runs had left
    enviado: Sent | None = None
    achados_retidos: int = 0  # not demanded, because a rejected row or a dispensa may change them
    interrompidas: int = 0  # left half-way by a dead process, now incertas
    caixa: Path | None = None
    amostra: bytes | None = None

    @property
    def parada(self) -> str | None:
        """Why sending stopped before its end."""
        return next((e.parada for e in (self.pendentes, self.enviado) if e and e.parada), None)

    @property
    def codigo_saida(self) -> int:
        """1 when a person has to do something before all is sent; else 0."""
        incertas = sum(e.incertas for e in (self.pendentes, self.enviado) if e)
        tentou = self.pendentes is not None
        return int(tentou and bool(self.parada or self.motivos or incertas or self.interrompidas))


def preview(pedido: Delivery, compose: Compose, *, escrever: bool) -> Report:
    """What a sending would do, with nothing sent and the ledger untouched.

    `escrever`: put the messages in the outbox; otherwise only one of them is in the report.
    """
    registro = ledger_path(pedido.warehouse)
    # Outside production the allow-list would hide what there is to look at.
    settings = pedido.settings.model_copy(update={"producao": True})
    with Ledger.copy_of(registro, pedido.agora) as ledger:
        with open_reader(pedido.warehouse, registro, settings.espera_banco) as con:
            report, quanto = _compose(ledger, con, pedido, compose, settings)
        report.motivos = breaker(ledger, report.rodada, quanto, settings)
        mensagens = ledger.rows(
            "select chave, destinatario_id, endereco from mensagem where rodada_id = ? and eml_sha256 is not null"
            " and estado in ('preparada', 'suprimida') and eml_sha256 in (select sha256 from eml) order by n",
            report.rodada,
        )
        if mensagens:
            report.amostra = ledger.eml(mensagens[0]["chave"])
        if escrever:
            report.caixa = write_outbox(
                pedido.caixa,
                report.rodada,
                (
                    (m["destinatario_id"], "" if m["endereco"] else "sem-endereco", partial(ledger.eml, m["chave"]))
                    for m in mensagens
                ),
            )
    return report


def deliver(pedido: Delivery, compose: Compose, server: Server, dizer: Say = lambda _: None) -> Report:
    """Compose and send. The caller holds the ledger's lock (`flows.trava.lock(ledger_path(...))`).

    First what earlier runs left; then tonight's, unless the breaker asks. Safe to repeat after any interruption.
    """
    if pedido.de is None:
        raise NotSent("falta o remetente: defina `envio.remetente` na configuração do município.")
    if not pedido.settings.producao and not pedido.settings.permitidos:
        raise NotSent(
            "fora de produção só se envia a quem está em `envio.permitidos`, e a lista está vazia. "
            "Para avisar os permissionários de verdade: `envio.producao = true`."
        )
    registro = ledger_path(pedido.warehouse)
    with Ledger(registro, pedido.agora) as ledger:
        interrompidas = ledger.recover()
        with open_reader(pedido.warehouse, registro, pedido.settings.espera_banco) as con:
            as_of = night(con, pedido.as_of)
        _fresh_enough(ledger, pedido, as_of)
        expire(ledger, as_of, pedido.settings)
        pendentes = _send(ledger, pedido, server, dizer)
        with open_reader(pedido.warehouse, registro, pedido.settings.espera_banco) as con:
            report, quanto = _compose(ledger, con, pedido, compose, pedido.settings)
        dizer(count_br(len(report.fila.prontas), "mensagem composta", "mensagens compostas"))
        report.pendentes, report.interrompidas = pendentes, len(interrompidas)
        report.motivos = breaker(ledger, report.rodada, quanto, pedido.settings)
        if report.motivos:
            wait_for_approval(ledger, report.rodada, report.motivos)
        else:
            release(ledger, report.rodada, "automático")
            if not pendentes.parada:
                report.enviado = _send(ledger, pedido, server, dizer)
        publish_deliveries(ledger, deliveries_path(pedido.warehouse))
    return report


def deliver_approved(pedido: Delivery, server: Server, dizer: Say = lambda _: None) -> Sent:
    """Send what is approved and waits, composing nothing. The caller holds the ledger's lock."""
    with Ledger(ledger_path(pedido.warehouse), pedido.agora) as ledger:
        ledger.recover()
        feito = _send(ledger, pedido, server, dizer)
        publish_deliveries(ledger, deliveries_path(pedido.warehouse))
    return feito


def _compose(
    ledger: Ledger, con: duckdb.DuckDBPyConnection, pedido: Delivery, compose: Compose, settings: SendingSettings
) -> tuple[Report, Violations]:
    as_of = night(con, pedido.as_of)
    report = Report(run_id(pedido.tipo, as_of), as_of)
    de = pedido.de or Sender(SEM_REMETENTE)
    report.fila = enqueue(ledger, pedido.tipo, as_of, compose(con, as_of), de, settings)
    report.achados_retidos = held_back(con)
    log.info("%s: %d mensagens compostas", report.rodada, len(report.fila.prontas))
    return report, violations(con, as_of)


def _fresh_enough(ledger: Ledger, pedido: Delivery, as_of: date) -> None:
    """Nothing is demanded on old data, on data older than what was told, nor on what isn't so yet.

    A night of a day to come says what will be wrong if nobody acts; told as of today it would be false, and the true
    notices after it would be the past.
    """
    if as_of > pedido.hoje:
        raise NotSent(
            f"{as_of:%d/%m/%Y} ainda não chegou: não se cobra hoje o que só será falta nesse dia. Rode `emdia run` com "
            "os extratos de hoje, ou indique com --as-of uma noite que já houve."
        )
    if pedido.as_of is None and (pedido.hoje - as_of).days > pedido.settings.dados_ate_dias:
        raise NotSent(
            f"os dados são de {as_of:%d/%m/%Y}: velhos demais para cobrar alguém. Rode `emdia run` com os "
            "extratos de hoje."
        )
    depois = ledger.one(
        "select rodada_id from mensagem where tipo = ? and as_of > ? and estado in ('enviada', 'incerta')"
        " order by as_of desc limit 1",
        pedido.tipo,
        as_of.isoformat(),
    )
    if depois:
        raise NotSent(f"já saíram avisos com dados mais novos ({depois['rodada_id']}); não se envia o passado.")


def _send(ledger: Ledger, pedido: Delivery, server: Server, dizer: Say) -> Sent:
    assert pedido.de is not None
    transport = Transport(server, pedido.de.endereco, pedido.settings.por_conexao)
    return send_pending(ledger, transport, Standings(published_path(pedido.warehouse)), pedido.settings, dizer)
