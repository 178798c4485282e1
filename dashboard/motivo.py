"""Why a case is one, in one line: the figures that decide it, from its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.mascara import hide_cpfs
from reports.formats import date_br


def reason(verificacao: str, evidence: Mapping[str, Any]) -> str:
    """One line for the grounds of cassacao; empty where the name of the check says all there is."""
    e = evidence
    text = ""
    if verificacao == "pontos_cassacao" and e.get("soma") is not None:
        text = f"{e['soma']} pontos em {e.get('meses')} meses, até {date_br(e.get('fim'))}"
        text += f"; o limite é {e.get('limite_pontos')}"
    elif verificacao == "alvara_vencido" and e.get("fim"):
        text = f"título {e.get('alvara_id')} com fim em {date_br(e['fim'])}"
    elif verificacao == "substituicao_vencida" and e.get("limite"):
        text = f"veículo {e.get('placa') or ''} com idade até {date_br(e['limite'])}, sem baixa nem substituto"
    elif isinstance(e.get("autos"), list) and e["autos"] and isinstance(e["autos"][0], Mapping):
        told = [f"{a.get('codigo')} em {date_br(a.get('dia'))}" for a in e["autos"][:3]]
        more = f" e mais {len(e['autos']) - 3}" if len(e["autos"]) > 3 else ""
        text = f"infração {', '.join(told)}{more}"
    return hide_cpfs(text)
