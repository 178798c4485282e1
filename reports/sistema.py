"""What the operating system answers, for people who read Portuguese."""

from __future__ import annotations

import errno

RAZOES = {
    errno.ENOENT: "o caminho não existe",
    errno.EACCES: "sem permissão",
    errno.EPERM: "sem permissão",
    errno.EROFS: "o disco só pode ser lido",
    errno.ENOTDIR: "parte do caminho é um arquivo, não uma pasta",
    errno.EEXIST: "já existe um arquivo com esse nome",
    errno.EISDIR: "é uma pasta, não um arquivo",
    errno.ENOSPC: "o disco está cheio",
    errno.EDQUOT: "a cota de disco acabou",
    errno.EADDRINUSE: "a porta já está em uso",
    errno.EADDRNOTAVAIL: "este endereço não é desta máquina",
}


def os_reason(error: OSError) -> str:
    """Why the system refused."""
    return RAZOES.get(error.errno or 0) or error.strerror or str(error)
