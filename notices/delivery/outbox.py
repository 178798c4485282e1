"""The outbox folder: what would be sent, as .eml files to open and look at. Whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from notices.delivery.addresses import header_text
from reports.sistema import os_reason


class OutboxError(Exception):
    """The outbox could not be written; the message (Portuguese) says what to do."""


def write_outbox(pasta: Path, rodada: str, mensagens: Iterable[tuple[str, str, Callable[[], bytes]]]) -> Path:
    """Write `<pasta>/<rodada>/NNNNN-<recipient>.eml` and return the folder, in the place of an earlier one.

    `mensagens`: recipient id, a subfolder ("" for none) and what gives its bytes. A full disk leaves the earlier
    folder as it was.
    """
    destino = pasta / rodada
    nova, velha = pasta / f".{rodada}.nova", pasta / f".{rodada}.velha"
    try:
        for resto in (nova, velha):
            shutil.rmtree(resto, ignore_errors=True)
        nova.mkdir(parents=True)
        for numero, (quem, sub, conteudo) in enumerate(mensagens, 1):
            (nova / sub).mkdir(exist_ok=True)
            (nova / sub / f"{numero:05d}-{_file_name(quem)}.eml").write_bytes(conteudo())
        if destino.exists():
            destino.rename(velha)
        nova.rename(destino)
    except OSError as erro:
        shutil.rmtree(nova, ignore_errors=True)
        raise OutboxError(
            f"não foi possível escrever a caixa de saída {destino}: {os_reason(erro)}. Libere espaço ou indique outra "
            "pasta com --out, e repita o comando; nada foi enviado e a caixa anterior não mudou."
        ) from None
    shutil.rmtree(velha, ignore_errors=True)
    return destino


def _file_name(quem: str) -> str:
    """What of an identifier may be part of a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", header_text(quem, 60)).strip("._") or "sem-id"
