"""The parameters of a check in a norm, as the norm's file gives them: what links a code to a provision."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any


def check_rules(norma: str, check: str, as_of: date) -> Mapping[str, Any]:
    """`parametros` of the check and `regras` (dispositivo and parameters of each); empty where the norm has none."""
    from data.loader import load_norms

    said = next((n.check(check, as_of) for n in load_norms() if n.id == norma), None)
    if said is None:
        return {"parametros": {}, "regras": []}
    return {
        "parametros": dict(said.parametros),
        "regras": [{**rule.parametros, "dispositivo": rule.dispositivo or said.dispositivo} for rule in said.regras],
    }


def provisions_of(rules: Mapping[str, Any], code: str | None) -> list[str]:
    """The provisions of the check that name a code."""
    found = [rule["dispositivo"] for rule in rules["regras"] if code and code in (rule.get("codigos") or ())]
    return list(dict.fromkeys(d for d in found if d))
