"""The proof under kill -9: a long sending killed over and over loses no notice, and sends none twice.

    python -m tests.notices.delivery.prova --mensagens 10000 --mortes 200

The SMTP server is a process of its own that writes down each Message-ID it takes. The sender is another one, killed at
random moments (composing, keeping, sending, publishing) and started again, until it comes to its end by itself. Then each
message must be: `enviada` and arrived once; or `incerta`, and arrived once or not at all. Nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from flows.relogio import now
from flows.trava import lock
from notices.delivery.ledger import Ledger, ledger_path
from notices.delivery.run import Delivery, deliver
from notices.delivery.server import Server
from notices.model import SEMANAL, Mensagem
from tests.notices.delivery.base import AS_OF, DE, FAST, Relogio, compose, item, message, nights, publish_findings

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Resultado:
    """What the proof found."""

    mensagens: int
    mortes: int
    enviadas: int
    incertas: int
    incertas_que_chegaram: int
    perdidas: int
    repetidas: int
    outros_estados: int
    segundos: float

    @property
    def ok(self) -> bool:
        return (
            self.perdidas == self.repetidas == self.outros_estados == 0
            and self.enviadas + self.incertas == self.mensagens
            and self.incertas <= self.mortes
        )


def _messages(quantas: int) -> list[Mensagem]:
    return [message(f"P{n}", [item(f"a{n}-1"), item(f"a{n}-2", "antes_7")]) for n in range(quantas)]


def _serve(diario: Path, pronto: Connection) -> None:
    """The SMTP server, until killed; each message it takes is a line of the diary before it says so."""
    from tests.notices.delivery.smtp import Caixa, Servidor

    with diario.open("a", encoding="utf-8") as saida:

        class Diario(Caixa):
            async def handle_DATA(self, server, session, envelope):  # type: ignore[no-untyped-def]
                marca = envelope.original_content.split(b"Message-ID: ", 1)[1].split(b"\r\n", 1)[0]
                saida.write(marca.decode() + "\n")
                saida.flush()
                return "250 2.0.0 ok"

        servidor = Servidor(Diario())
        servidor.start()
        pronto.send(servidor.porta)
        signal.pause()


@contextlib.contextmanager
def _server(diario: Path) -> Iterator[int]:
    nosso, dele = FORK.Pipe()
    processo = FORK.Process(target=_serve, args=(diario, dele), daemon=True)
    processo.start()
    try:
        yield nosso.recv()
    finally:
        processo.kill()
        processo.join()


def _sender(pedido: Delivery, mensagens: list[Mensagem], porta: int) -> None:
    with lock(ledger_path(pedido.warehouse), 10):
        report = deliver(pedido, compose(*mensagens), Server("127.0.0.1", porta, "nenhuma"))
    sys.exit(3 if report.parada or report.motivos else 0)


def _run_once(pedido: Delivery, mensagens: list[Mensagem], porta: int, vida: float | None) -> int | None:
    """One life of the sender: its exit code, or None when it was killed after `vida` seconds."""
    processo = FORK.Process(target=_sender, args=(pedido, mensagens, porta))
    processo.start()
    processo.join(vida)
    if processo.is_alive():
        assert processo.pid is not None
        os.kill(processo.pid, signal.SIGKILL)
        processo.join()
        return None
    return processo.exitcode


def prove(
    raiz: Path, mensagens: int, mortes: int, vida: float, semente: int = 1, por_minuto: int = 1_000_000
) -> Resultado:
    """Kill the sender `mortes` times, each after a random life, then let it end.

    Two lives in three last `vida` seconds on average, the third six times that: long enough to get on.

    When it comes to its end before, the deaths are fewer: more messages, or shorter lives, are needed.
    """
    sorte = random.Random(semente)
    banco = nights(raiz)
    todas = _messages(mensagens)
    publish_findings(banco, [i for m in todas for i in m.itens])
    pedido = Delivery(
        SEMANAL,
        AS_OF,
        banco,
        raiz / "caixa",
        FAST.model_copy(update={"por_minuto": por_minuto}),
        AS_OF,
        Relogio(now("America/Bahia")),
        DE,
    )
    diario = raiz / "chegaram.txt"
    diario.touch()
    inicio, mortas, fim = time.monotonic(), 0, None
    with _server(diario) as porta:
        while mortas < mortes:
            fim = _run_once(pedido, todas, porta, sorte.expovariate(1 / vida) * sorte.choice((1, 1, 6)))
            if fim is not None:
                break
            mortas += 1
        if fim is None:
            fim = _run_once(pedido, todas, porta, None)
        if fim == 0:
            # Once more, whole: there is nothing left to say.
            antes = diario.stat().st_size
            _run_once(pedido, todas, porta, None)
            assert diario.stat().st_size == antes, "a run after the end sent something"
    chegaram = Counter(diario.read_text().split())
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        estados = {r["message_id"]: r["estado"] for r in ledger.rows("select message_id, estado from mensagem")}
    enviadas = [m for m, e in estados.items() if e == "enviada"]
    incertas = [m for m, e in estados.items() if e == "incerta"]
    return Resultado(
        mensagens,
        mortas,
        len(enviadas),
        len(incertas),
        sum(chegaram[m] for m in incertas),
        sum(chegaram[m] == 0 for m in enviadas) + mensagens - len(estados),
        sum(n > 1 for n in chegaram.values()),
        len(estados) - len(enviadas) - len(incertas),
        round(time.monotonic() - inicio, 1),
    )


def main() -> int:
    """Run the proof and say what it found; 1 when it fails."""
    opcoes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    opcoes.add_argument("--mensagens", type=int, default=10_000)
    opcoes.add_argument("--mortes", type=int, default=200)
    opcoes.add_argument("--vida", type=float, default=0.2, help="segundos até cada morte, em média")
    opcoes.add_argument("--por-minuto", type=int, default=6000, help="ritmo do envio")
    opcoes.add_argument("--semente", type=int, default=1)
    pedido = opcoes.parse_args()
    mortes, semente, ok = 0, pedido.semente, True
    while mortes < pedido.mortes and ok:
        with tempfile.TemporaryDirectory() as pasta:
            resultado = prove(
                Path(pasta), pedido.mensagens, pedido.mortes - mortes, pedido.vida, semente, pedido.por_minuto
            )
        print(json.dumps(resultado.__dict__), flush=True)
        mortes, semente, ok = mortes + resultado.mortes, semente + 1, resultado.ok
    print(f"{mortes} mortes: {'ok' if ok else 'FALHOU'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
