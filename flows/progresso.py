"""Progress of the steps: a live line on a terminal, one plain line per step elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from reports.formats import int_br, seconds_br

if TYPE_CHECKING:
    from rich.status import Status

    from flows.noite import Evento


class Progresso:
    """`with Progresso(sys.stderr) as p:` hand `p` to the steps as `on_step`."""

    def __init__(self, saida: TextIO) -> None:
        self._saida = saida
        self._status: Status | None = None

    def __enter__(self) -> Progresso:
        if self._saida.isatty():
            from rich.console import Console

            self._status = Console(file=self._saida).status("preparando", spinner="dots")
            self._status.start()
        self._inicio = time.perf_counter()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._status is not None:
            self._status.stop()

    def say(self, texto: str) -> None:
        """What is going on before the first step."""
        if self._status is not None:
            self._status.update(texto)
        else:
            self._write(texto)

    def __call__(self, evento: Evento) -> None:
        """A step started or ended."""
        prefixo = f"[{evento.numero}/{evento.total}] {evento.passo.titulo}"
        etapa = evento.etapa
        if etapa is None:
            if self._status is not None:
                self._status.update(f"{prefixo}: {evento.detalhe}" if evento.detalhe else prefixo)
            return
        linhas = "" if etapa.linhas is None else f"{int_br(etapa.linhas)} {evento.passo.unidade}, "
        desfecho = "FALHOU, " if etapa.erro else ""
        self._write(f"{prefixo}: {desfecho}{linhas}{seconds_br(etapa.segundos)}")

    def _write(self, texto: str) -> None:
        if self._status is not None:
            self._status.console.print(texto, highlight=False, markup=False)
        else:
            print(texto, file=self._saida, flush=True)
