"""One run at a time per warehouse: a lock the system lets go of when the process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.erros import ErroConhecido, OutraExecucao
from reports.sistema import os_reason

PASSO = 0.5  # seconds between two tries


@contextmanager
def lock(warehouse: Path, esperar: float = 0) -> Iterator[None]:
    """Hold `<warehouse>.trava`; wait up to `esperar` seconds for another run, then raise `OutraExecucao`."""
    arquivo = Path(f"{warehouse}.trava")
    try:
        arquivo.parent.mkdir(parents=True, exist_ok=True)
        descritor = os.open(arquivo, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as erro:
        raise ErroConhecido(
            f"não é possível escrever na pasta do banco, {arquivo.parent}: {os_reason(erro)}. "
            "Indique outro arquivo com --warehouse."
        ) from erro
    try:
        fim = time.monotonic() + esperar
        while not _try_lock(descritor):
            if time.monotonic() >= fim:
                quem = os.pread(descritor, 32, 0).decode(errors="replace").strip() or "desconhecido"
                raise OutraExecucao(
                    f"outra execução (processo {quem}) está usando {warehouse}. "
                    "Espere ela terminar, ou use --esperar SEGUNDOS para aguardar."
                )
            time.sleep(PASSO)
        os.ftruncate(descritor, 0)
        os.pwrite(descritor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descritor)


def _try_lock(descritor: int) -> bool:
    try:
        fcntl.flock(descritor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
