"""The night's summary as Markdown and as table rows, for Prefect's artifacts: counts only, no person."""

from __future__ import annotations

import re
from typing import Any

from reports.console import DESFECHO
from reports.formats import date_br, int_br, seconds_br
from reports.resumo import Resumo

ROTULOS = {
    "violacao": "Violações",
    "a_vencer": "A vencer",
    "para_decisao": "Para decisão",
    "nao_avaliado": "Não avaliado",
    "dispensado": "Dispensado",
    "novos": "Novos",
    "encerrados": "Encerrados",
}


def artifact_key(nome: str) -> str:
    """A key Prefect accepts (lower case, digits, dashes), one per municipality."""
    return "noite-" + (re.sub(r"[^a-z0-9]+", "-", nome.lower()).strip("-") or "emdia")


def check_rows(resumo: Resumo) -> list[dict[str, Any]]:
    """One row per check."""
    return [
        {"Verificação": v.verificacao, **{r: getattr(v, c) for c, r in ROTULOS.items()}, "Erro": v.erro or ""}
        for v in resumo.verificacoes
    ]


def render_markdown(resumo: Resumo) -> str:
    """The summary: outcome, what to look at, totals, files, steps."""
    partes = [f"# Noite de {date_br(resumo.as_of)}: {DESFECHO.get(resumo.codigo_saida, 'FALHOU')}"]
    if resumo.erros or resumo.avisos:
        itens = [f"- **Erro:** {e}" for e in resumo.erros] + [f"- {a}" for a in resumo.avisos]
        partes.append("\n".join(itens))
    if resumo.conferencia:
        partes.append("Conferência da carga:\n\n" + "\n".join(f"- {a}" for a in resumo.conferencia))
    partes.append("\n".join(f"- {rotulo}: **{int_br(resumo.total(coluna))}**" for coluna, rotulo in ROTULOS.items()))
    partes.append(
        _table(
            ("Arquivo", "Lidas", "Carregadas", "Rejeitadas", "Situação"),
            [
                (
                    c.arquivo or c.extrato,
                    int_br(c.lidas),
                    int_br(c.carregadas),
                    int_br(c.rejeitadas),
                    c.situacao,
                )
                for c in resumo.cargas
            ],
        )
    )
    partes.append(
        _table(
            ("Etapa", "Linhas", "Tempo", "Memória de pico"),
            [
                (
                    e.titulo,
                    int_br(e.linhas),
                    seconds_br(e.segundos),
                    f"{int_br(round(e.pico_mb))} MB",
                )
                for e in resumo.etapas
            ],
        )
    )
    if resumo.saidas:
        partes.append("Onde está:\n\n" + "\n".join(f"- `{s}`" for s in resumo.saidas))
    return "\n\n".join(partes) + "\n"


def _table(cabecalho: tuple[str, ...], corpo: list[tuple[str, ...]]) -> str:
    linhas = [cabecalho, ("---",) * len(cabecalho), *corpo]
    return "\n".join("| " + " | ".join(str(v).replace("|", "\\|") for v in linha) + " |" for linha in linhas)
