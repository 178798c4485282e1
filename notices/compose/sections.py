"""Where a finding goes in a notice, and which words tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notices.compose.wording import wordings

SECTIONS = (
    ("violacao", "Está irregular",
     "Os dados do cadastro comprovam o que segue. Resolva o quanto antes."),
    ("a_vencer", "Vai vencer: ainda dá tempo",
     "Nada disto é irregularidade hoje. Passa a ser se ninguém agir até o dia indicado, que ainda vale."),
    ("prazo_aberto", "Prazos de defesa e recurso abertos",
     "Defender-se é direito seu, e nada é decidido contra você antes disso. Quem não usa o prazo perde a vez."),
    ("para_decisao", "Depende de decisão da autoridade",
     "Não é irregularidade declarada: a norma deixa o caso para uma autoridade decidir. Nada é exigido por enquanto."),
    ("direito", "Para você conferir",
     "São pontos a seu favor, ou que o órgão tem de esclarecer. Use-os se quiser."),
)  # fmt: skip


def section_of(row: Mapping[str, Any]) -> str:
    """The section a row belongs to: its situation, or what is for the operator to use.

    Where the norm attaches nothing but information, the duty is the body's, unless the wording says otherwise.
    """
    dito = wordings().get(row["verificacao"], {})
    if dito.get("secao") == "direito" or (row["consequencia"] == "informacao" and not dito.get("do_operador")):
        return "direito"
    return str(row["situacao"])


def told_as(row: Mapping[str, Any]) -> str:
    """Which words of the check tell a row: those of its situation, or of what is for the operator to use."""
    para_usar = section_of(row) == "direito" and "direito" in wordings().get(row["verificacao"], {})
    return "direito" if para_usar else str(row["situacao"])
