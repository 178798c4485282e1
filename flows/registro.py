"""The night's own record: which inputs, norms and code gave these results, what it cost, how it ended."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from flows.noite import Noite, exit_code
from flows.relogio import now
from flows.versao import code_version

if TYPE_CHECKING:
    from sql.ledger import RunRecord


def _digest(partes: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(partes).encode()).hexdigest()


def build_record(noite: Noite) -> RunRecord:
    """The run as the ledger keeps it, with what is known so far."""
    from sql.ledger import RunRecord, run_id

    as_of, resumo = noite.request.as_of, noite.resumo
    entrada = noite.ingestao.entrada_hash if noite.ingestao else ""
    leis = _digest(sorted(n.hash for n in noite.normas))
    resumo.codigo_saida = exit_code(resumo)
    resumo.execucao_id = run_id(as_of, entrada, leis, code_version())
    return RunRecord(
        execucao_id=resumo.execucao_id,
        as_of=as_of,
        iniciada_em=noite.inicio,
        concluida_em=now(noite.request.settings.fuso),
        entrada_hash=entrada,
        normas_hash=leis,
        codigo_versao=code_version(),
        codigo_saida=resumo.codigo_saida,
        parametros=noite.impressoes,
        resumo=resumo.as_dict(),
        etapas=[asdict(e) for e in resumo.etapas],
    )


def close_record(noite: Noite) -> None:
    """The last word on the run, before the warehouse closes; a night that never got to its findings too."""
    from sql.ledger import finish_run, record_interrupted

    if noite.con is None:
        return
    if noite.registrada:
        finish_run(noite.con, build_record(noite))
    else:
        record_interrupted(noite.con, build_record(noite))
