"""What stops a sending: a run unlike the others, a paused norm, a pace too fast."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from notices.delivery import states as s
from notices.delivery.ledger import Ledger, LedgerError
from notices.delivery.settings import SendingSettings
from reports.formats import count_br

ALL = "*"
"""The kill switch of every norm."""


@dataclass(frozen=True)
class Violations:
    """Proved violations on the as-of date and a week before (None: no night to compare with)."""

    agora: int
    semana_antes: int | None


def new_recipients(ledger: Ledger, rodada: str) -> tuple[int, int]:
    """Recipients of the run's unapproved messages that were never written to, and all recipients of the run."""
    linha = ledger.one(
        "select count(distinct destinatario_id) filter (where aprovada = 0 and not exists ("
        "  select 1 from mensagem a where a.destinatario_id = m.destinatario_id and a.estado in ('enviada', 'incerta')"
        ")), count(distinct destinatario_id) from mensagem m where rodada_id = ? and estado in"
        " ('preparada', 'enviando', 'enviada', 'incerta')",
        rodada,
    )
    return (linha[0], linha[1]) if linha else (0, 0)


def breaker(ledger: Ledger, rodada: str, violacoes: Violations | None, settings: SendingSettings) -> list[str]:
    """Why a person must look before the run goes out (Portuguese); empty when nobody need."""
    novos, total = new_recipients(ledger, rodada)
    pendentes = ledger.one(
        "select count(*) from mensagem where rodada_id = ? and estado = 'preparada' and aprovada = 0", rodada
    )
    if not pendentes or not pendentes[0]:
        return []
    motivos = []
    if novos > settings.novos_maximo:
        quantos = count_br(novos, "destinatário nunca recebeu", "destinatários nunca receberam")
        motivos.append(f"{quantos} aviso (limite: {settings.novos_maximo})")
    elif novos > settings.novos_minimo and novos > settings.novos_fracao * total:
        motivos.append(
            f"{novos} de {total} destinatários nunca receberam aviso (limite: {_percent(settings.novos_fracao)})"
        )
    if violacoes is not None and violacoes.semana_antes is not None:
        aumento = violacoes.agora - violacoes.semana_antes
        if aumento > settings.salto_minimo and aumento > settings.salto_fracao * violacoes.semana_antes:
            motivos.append(
                f"as violações passaram de {violacoes.semana_antes} para {violacoes.agora} em uma semana"
                f" (limite: mais {_percent(settings.salto_fracao)})"
            )
    return motivos


def _percent(fracao: Decimal) -> str:
    return f"{fracao * 100:.0f} %"


def wait_for_approval(ledger: Ledger, rodada: str, motivos: list[str]) -> None:
    """The run stays where it is until somebody decides."""
    with ledger.transaction():
        ledger.db.execute(
            "update rodada set situacao = 'aguarda', motivos = ? where rodada_id = ?", ("\n".join(motivos), rodada)
        )


def release(ledger: Ledger, rodada: str, por: str) -> int:
    """Let the run's messages go: those composed so far, and no others. Returns how many."""
    with ledger.transaction():
        _known(ledger, rodada)
        mudadas = ledger.db.execute(
            "update mensagem set aprovada = 1 where rodada_id = ? and estado = 'preparada' and aprovada = 0", (rodada,)
        ).rowcount
        if not mudadas:
            return 0
        ledger.db.execute(
            "update rodada set situacao = 'liberada', decidida_em = ?, decidida_por = ? where rodada_id = ?",
            (ledger.stamp(), por, rodada),
        )
    return mudadas


def cancel(ledger: Ledger, rodada: str, por: str) -> int:
    """Withdraw what the run still has to send; its findings will be composed anew. Returns how many messages."""
    with ledger.transaction():
        _known(ledger, rodada)
        chaves = ledger.rows("select chave from mensagem where rodada_id = ? and estado = ?", rodada, s.PREPARADA)
        for (chave,) in chaves:
            ledger.change(chave, (s.PREPARADA,), s.SUPRIMIDA, motivo=s.CANCELADA, detalhe=f"{s.CANCELADA} por {por}")
        ledger.db.execute(
            "update rodada set situacao = 'cancelada', decidida_em = ?, decidida_por = ? where rodada_id = ?",
            (ledger.stamp(), por, rodada),
        )
    return len(chaves)


def _known(ledger: Ledger, rodada: str) -> None:
    if ledger.one("select 1 from rodada where rodada_id = ?", rodada) is None:
        raise LedgerError(f"não há rodada {rodada}; `emdia notify status` lista as que há.")


def pause(ledger: Ledger, norma: str, por: str, motivo: str) -> None:
    """Kill switch: from the next message on, nothing that speaks of the norm leaves (`*`: nothing at all)."""
    with ledger.transaction():
        ledger.db.execute("insert or replace into pausa values (?, ?, ?, ?)", (norma, ledger.stamp(), por, motivo))


def resume(ledger: Ledger, norma: str) -> bool:
    """Take a pause back; False when there was none."""
    with ledger.transaction():
        return ledger.db.execute("delete from pausa where norma = ?", (norma,)).rowcount > 0


def paused(ledger: Ledger, normas_json: str) -> bool:
    """Whether a message that speaks of these norms must wait. Asked before each one: a pause works at once."""
    pausadas = {r["norma"] for r in ledger.rows("select norma from pausa")}
    return bool(pausadas) and (ALL in pausadas or not pausadas.isdisjoint(json.loads(normas_json)))


class Pace:
    """At most so many messages a minute, evenly."""

    def __init__(
        self,
        por_minuto: int,
        dormir: Callable[[float], None] = time.sleep,
        relogio: Callable[[], float] = time.monotonic,
    ) -> None:
        self.intervalo = 60 / por_minuto
        self._dormir, self._relogio = dormir, relogio
        self._proxima = relogio()

    def wait(self) -> None:
        """Wait for one's turn."""
        agora = self._relogio()
        if agora < self._proxima:
            self._dormir(self._proxima - agora)
            agora = self._proxima
        self._proxima = max(agora, self._proxima) + self.intervalo
