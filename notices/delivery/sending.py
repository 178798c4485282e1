"""The loop that sends: one message at a time, its state on disk before its body leaves and after the answer comes."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import duckdb

from notices.delivery import states as s
from notices.delivery.brakes import Pace, paused
from notices.delivery.ledger import Ledger, UnexpectedState, explain
from notices.delivery.settings import SendingSettings
from notices.delivery.standing import Standings
from notices.delivery.transport import Answer, CannotConnect, Transport

log = logging.getLogger("emdia.avisos")

DROPS_PER_MESSAGE = 2  # times one message may lose the line, before its body, in one pass


class _Stop(Exception):
    """Nothing more may be sent in this run; the text (Portuguese) says why."""


@dataclass
class Sent:
    """What the run did. `parada`: why it stopped before the end, for people; None when it didn't."""

    enviadas: int = 0
    recusadas: int = 0
    incertas: int = 0
    adiadas: int = 0
    retiradas: int = 0
    pausadas: int = 0
    conexoes: int = 0
    parada: str | None = None


def send_pending(
    ledger: Ledger,
    transport: Transport,
    standings: Standings,
    settings: SendingSettings,
    progresso: Callable[[str], None] = lambda _: None,
) -> Sent:
    """Send every approved message that waits. Only under the lock, after `Ledger.recover`.

    A 4xx puts that message off and the others go on; it is tried again at the end, `tentativas` times in all, and then
    by the next run. A 5xx refuses it. A line that falls before the body is opened again; after it the message
    is `incerta`. Nothing raised: what stopped the run is in the result.
    """
    feito = Sent()
    envio = _Sending(ledger, transport, standings, settings, Pace(settings.por_minuto), feito, progresso)
    try:
        for passada in range(settings.tentativas):
            if passada and not _wait_for_next(ledger, settings, progresso):
                break
            envio.one_pass()
    except (_Stop, CannotConnect) as motivo:
        feito.parada = str(motivo)
    except sqlite3.Error as erro:
        feito.parada = explain(ledger.path, erro)
    except duckdb.Error as erro:
        # Without it nobody knows whether what is demanded is still due.
        feito.parada = (
            f"a cópia publicada {standings.copia} não pôde ser lida ({type(erro).__name__}): rode `emdia run`."
        )
    finally:
        transport.close()
    feito.conexoes = transport.conexoes
    if feito.parada is None:
        feito.adiadas, feito.pausadas = _left(ledger, settings)
    return feito


def _left(ledger: Ledger, settings: SendingSettings) -> tuple[int, int]:
    """Messages put off, and held by a pause."""
    restantes = ledger.rows("select normas, tentativas from mensagem where estado = 'preparada' and aprovada = 1")
    pausadas = sum(paused(ledger, r["normas"]) for r in restantes)
    return len(restantes) - pausadas, pausadas


def _wait_for_next(ledger: Ledger, settings: SendingSettings, progresso: Callable[[str], None]) -> bool:
    """Wait until the last of those put off may be tried again; False when there is none."""
    adiadas = [
        r["proxima_em"]
        for r in ledger.rows(
            "select proxima_em, normas from mensagem where estado = 'preparada' and aprovada = 1"
            " and proxima_em is not null"
        )
        if not paused(ledger, r["normas"])
    ]
    if not adiadas:
        return False
    segundos = (datetime.fromisoformat(max(adiadas)) - ledger.agora()).total_seconds()
    segundos = min(max(segundos, 0), settings.espera_tentativa)
    progresso(f"{len(adiadas)} adiadas; nova tentativa em {segundos:.0f} s")
    time.sleep(segundos)
    return True


@dataclass
class _Sending:
    ledger: Ledger
    transport: Transport
    standings: Standings
    settings: SendingSettings
    pace: Pace
    feito: Sent
    progresso: Callable[[str], None]
    recusas_seguidas: int = 0
    falhas_de_remetente: int = 0

    def one_pass(self) -> None:
        """Each waiting message once, in the order it was composed."""
        chaves = self.ledger.rows(
            "select chave from mensagem where estado = 'preparada' and aprovada = 1"
            " and (proxima_em is null or proxima_em <= ?) order by n",
            self.ledger.stamp(),
        )
        for numero, (chave,) in enumerate(chaves, 1):
            self.one(chave)
            if numero % 100 == 0:
                self.progresso(f"{numero} de {len(chaves)}")

    def one(self, chave: str) -> None:
        mensagem = self.ledger.message(chave)
        if mensagem["estado"] != s.PREPARADA or paused(self.ledger, mensagem["normas"]):
            return
        mudaram = self.standings.changed(self.ledger, chave, date.fromisoformat(mensagem["as_of"]))
        if mudaram:
            self.ledger.change(
                chave, (s.PREPARADA,), s.SUPRIMIDA, motivo=s.MUDOU, detalhe=f"{s.MUDOU}: {', '.join(mudaram)}"
            )
            self.feito.retiradas += 1
            return
        conteudo = self.ledger.eml(chave)
        for _ in range(DROPS_PER_MESSAGE):
            self.pace.wait()
            try:
                resposta = self.transport.send(mensagem["endereco"], conteudo, lambda: self.leaving(chave))
            except UnexpectedState:  # withdrawn by another process just now; the line was cut, nothing left
                return
            if not resposta.dropped:
                break
            log.warning("a linha caiu antes da mensagem %s sair; reconectando", chave)
            if resposta.fase == "corpo":  # 421 to the body: not taken
                self.ledger.change(chave, (s.ENVIANDO,), s.PREPARADA, _said(resposta))
        self.settle(chave, mensagem["destinatario_id"], mensagem["endereco"], mensagem["tentativas"], resposta)

    def leaving(self, chave: str) -> None:
        """On disk before the first byte of the body. The server waits meanwhile."""
        self.ledger.durable(True)
        self.ledger.change(chave, (s.PREPARADA,), s.ENVIANDO)

    def settle(self, chave: str, quem: str, endereco: str, tentativas: int, resposta: Answer) -> None:
        """Write down what the server said."""
        self.ledger.durable(False)
        dito = {"codigo": resposta.codigo, "resposta": resposta.texto}
        if resposta.accepted:
            self.ledger.change(chave, (s.ENVIANDO,), s.ENVIADA, _said(resposta), proxima_em=None, **dito)
            self.feito.enviadas += 1
        elif resposta.uncertain:
            self.ledger.change(
                chave, (s.ENVIANDO,), s.INCERTA, "a linha caiu depois do DATA, antes da resposta", motivo=None, **dito
            )
            self.feito.incertas += 1
            log.warning("mensagem %s incerta: a linha caiu antes da resposta", chave)
        elif resposta.permanent and resposta.fase == "remetente" and not resposta.too_big:
            raise _Stop(f"o servidor recusou o remetente ({_said(resposta)}). Confira `envio.remetente` e a conta.")
        elif resposta.permanent:
            self.refuse(chave, quem, endereco, resposta)
        else:
            self.put_off(chave, tentativas, resposta, dito)
        if not resposta.permanent:
            self.recusas_seguidas = 0
        self.falhas_de_remetente = (
            self.falhas_de_remetente + 1 if resposta.fase == "remetente" and not resposta.too_big else 0
        )
        if self.falhas_de_remetente >= self.settings.recusas_seguidas:
            raise _Stop(f"o servidor não aceita mensagens agora ({_said(resposta)}). O que falta fica para depois.")

    def refuse(self, chave: str, quem: str, endereco: str, resposta: Answer) -> None:
        """A no for good; when it is about the address, the address goes to the list to fix."""
        with self.ledger.transaction():
            self.ledger.change(
                chave,
                (s.PREPARADA, s.ENVIANDO),
                s.RECUSADA,
                _said(resposta),
                motivo="recusada: tamanho" if resposta.too_big else f"recusada: {resposta.fase}",
                codigo=resposta.codigo,
                resposta=resposta.texto,
            )
            if resposta.fase == "destinatario" and not resposta.policy:
                self.ledger.db.execute(
                    "insert or replace into endereco_ruim values (?, ?, ?, ?, ?)",
                    (endereco, quem, self.ledger.stamp(), resposta.codigo, resposta.texto),
                )
        self.feito.recusadas += 1
        self.recusas_seguidas += 1
        if self.recusas_seguidas >= self.settings.recusas_seguidas:
            raise _Stop(
                f"o servidor recusou {self.recusas_seguidas} mensagens seguidas ({_said(resposta)}); pode ser ele, e"
                " não os endereços. Confira, e libere os endereços bons com `emdia notify unblock`."
            )

    def put_off(self, chave: str, tentativas: int, resposta: Answer, dito: Mapping[str, object]) -> None:
        """Not now (4xx), or the line would not hold: this message waits, the others go on."""
        proxima = self.ledger.agora() + timedelta(seconds=self.settings.espera_tentativa)
        campos = {**dito, "tentativas": tentativas + 1, "proxima_em": proxima.isoformat(timespec="milliseconds")}
        with self.ledger.transaction():
            if self.ledger.message(chave)["estado"] == s.ENVIANDO:
                self.ledger.change(chave, (s.ENVIANDO,), s.PREPARADA, _said(resposta), **campos)
            else:
                self.ledger.db.execute(
                    f"update mensagem set {', '.join(f'{c} = ?' for c in campos)} where chave = ?",
                    (*campos.values(), chave),
                )
                self.ledger.note(chave, s.PREPARADA, s.PREPARADA, f"adiada: {_said(resposta)}")


def _said(resposta: Answer) -> str:
    return f"{resposta.codigo} {resposta.texto}" if resposta.codigo else f"sem resposta ({resposta.texto})"


def expire(ledger: Ledger, hoje: date, settings: SendingSettings) -> int:
    """Withdraw what waited too long: its data are old, and its findings are composed anew. Returns how many."""
    limite = (hoje - timedelta(days=settings.validade_dias)).isoformat()
    with ledger.transaction():
        velhas = ledger.rows("select chave from mensagem where estado = ? and as_of < ?", s.PREPARADA, limite)
        for (chave,) in velhas:
            ledger.change(chave, (s.PREPARADA,), s.SUPRIMIDA, motivo=s.ENVELHECEU, detalhe=s.ENVELHECEU)
    return len(velhas)
