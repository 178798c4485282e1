"""Content hashes: the same law gives the same hash wherever its files lie, whatever their comments."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date
from typing import Any

from data.model import Norm

#: Words about the law that cannot change an answer.
_DESCRICAO = {
    "descricao", "observacao", "leitura", "alternativa", "regularizar", "origem", "familia", "fontes", "nome",
    "apelido", "orgao",
}  # fmt: skip


def _text(valor: Any) -> str:
    return json.dumps(valor, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def _digest(valor: Any) -> str:
    return hashlib.sha256(_text(valor).encode()).hexdigest()


def _plain(valor: Any, fora: set[str]) -> Any:
    if isinstance(valor, dict):
        return {k: _plain(v, fora) for k, v in valor.items() if k not in fora}
    if isinstance(valor, tuple | list):
        return [_plain(v, fora) for v in valor]
    return valor


def norm_hash(norm: Norm) -> str:
    """SHA-256 of everything the norm says, overrides included."""
    return _digest(_plain(norm.model_dump(exclude={"hash", "slug"}), {"origem", "familia"}))


def check_hash(norm: Norm, check_id: str, as_of: date | None = None) -> str:
    """SHA-256 of what can change the answer of one check under one norm, as `check_hashes` has it."""
    return check_hashes(norm, [check_id], as_of)[check_id]


def check_hashes(norm: Norm, checks: Iterable[str], as_of: date | None = None) -> dict[str, str]:
    """SHA-256, per check, of what can change its answer under one norm.

    Its parameter rows and rules, the header, the terms, the process, the age limits, the points and the
    infractions; with `as_of`, only the rows in force that day (infractions count whole: they are read by the
    day of the fact). Descriptions and readings in words are left out.
    """

    def rows(linhas: tuple[Any, ...]) -> list[Any]:
        vivas = [x for x in linhas if as_of is None or x.in_force(as_of)]
        fora = _DESCRICAO if as_of is None else _DESCRICAO | {"vigente_de", "vigente_ate"}
        return [_plain(x.model_dump(), fora) for x in vivas]

    comum = {
        "norma": rows(norm.cabecalhos),
        "outorgas": rows(norm.outorgas),
        "processos": rows(norm.processos),
        "idades": rows(norm.idades_maximas),
        "pontuacoes": rows(norm.pontuacoes),
        "infracoes": [_plain(i.model_dump(), _DESCRICAO) for i in norm.infracoes],
    }
    # What all checks share comes first in the text, and is read only once.
    inicio = hashlib.sha256(f'{_text(comum)[:-1]},"verificacao":'.encode())
    saida = {}
    for check_id in checks:
        impressao = inicio.copy()
        impressao.update(f"{_text(rows(norm.verificacoes.get(check_id, ())))}}}".encode())
        saida[check_id] = impressao.hexdigest()
    return saida
