"""The lists as files in a folder, and what of them a terminal shows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from notices.model import Mensagem
from reports.dicas import shown
from reports.formats import count_br


@dataclass(frozen=True)
class ListSummary:
    """One list written. `email` says whether somebody can be written to."""

    norma: str
    competente: str
    assunto: str
    arquivo: str
    novos_para_a_autoridade: int
    email: bool


def write_lists(mensagens: Iterable[Mensagem], pasta: Path) -> list[ListSummary]:
    """Write each list as .xlsx, .html and .txt; the folder is replaced whole, or left as it was."""
    nova = pasta.with_name(f".{pasta.name}.nova")
    shutil.rmtree(nova, ignore_errors=True)
    nova.mkdir(parents=True)
    listas = []
    try:
        for m in mensagens:
            (planilha,) = m.anexos
            base = planilha.nome.removesuffix(".xlsx")
            (nova / planilha.nome).write_bytes(planilha.conteudo)
            (nova / f"{base}.html").write_text(m.html, encoding="utf-8")
            (nova / f"{base}.txt").write_text(m.texto, encoding="utf-8")
            listas.append(
                ListSummary(
                    m.normas[0], m.destinatario_nome, m.assunto, planilha.nome, len(m.itens), bool(m.destinatario_email)
                )
            )
        shutil.rmtree(pasta, ignore_errors=True)
        nova.rename(pasta)
    finally:
        shutil.rmtree(nova, ignore_errors=True)
    return listas


def render_lists(listas: Sequence[ListSummary], pasta: Path, *, as_json: bool) -> str:
    """What was written, for a terminal or for a machine."""
    if as_json:
        return json.dumps({"pasta": str(pasta), "listas": [asdict(x) for x in listas]}, ensure_ascii=False, indent=2)
    if not listas:
        return "Nenhum ato espera decisão, e nenhum saiu da lista."
    linhas = [x.assunto for x in listas]
    quantas = count_br(len(listas), "planilha", "planilhas")
    sem = [x.competente for x in listas if not x.email]
    linhas += ["", f"Listas: {shown(pasta)} ({quantas}, com o texto da mensagem ao lado)"]
    if sem:
        linhas.append(f"Sem endereço na configuração ([escalada.destinatarios]): {', '.join(sorted(set(sem)))}")
    return "\n".join(linhas)
