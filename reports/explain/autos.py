"""Why each auto named in a finding counts, or does not yet: the dates that made it final, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import duckdb

from reports.explain.rows import rows_of
from reports.formats import date_br

DECISOES = {
    "procedente": "procedente, o auto fica",
    "parcial": "em parte, o auto fica com outro valor",
    "improcedente": "improcedente, o auto cai",
}


def load_autos(con: duckdb.DuckDBPyConnection, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Auto → what the extract says and where it stood on the last run's date; only those whose standing is known."""
    wanted = {"ids": sorted(set(ids))}
    if not wanted["ids"]:
        return {}
    known = {r["auto_id"]: r for r in rows_of(con, "extrato.autos", "list_contains($ids, auto_id)", wanted)}
    for facts in rows_of(con, "fatos.autos", "list_contains($ids, auto_id)", wanted):
        known[facts["auto_id"]] = {**known.get(facts["auto_id"], {}), **facts}
    return {key: row for key, row in known.items() if row.get("estado_auto")}


def why(auto: Mapping[str, Any], as_of: date) -> str:
    """Why an auto is final, still open, cancelled or in doubt on `as_of`, without the full stop."""
    match auto["estado_auto"]:
        case "confirmado":
            return f"definitivo: {_final(auto, as_of)}"
        case "em_defesa":
            return f"ainda não definitivo: {_pending(auto, as_of)}"
        case "cancelado":
            return f"cancelado{_cancelled(auto)}"
        case _:
            names = ", ".join(auto.get("incerto") or ())
            return "em dúvida" + (f": não se lê {names}" if names else "")


def _final(auto: Mapping[str, Any], as_of: date) -> str:
    end, decided = auto.get("fim_defesa"), auto.get("decisao")
    told = f"ciência em {date_br(auto['ciencia_em'])}" if auto.get("ciencia_em") else "ciência não anotada"
    decision = ""
    if decided:
        decision = f"decidido {DECISOES.get(decided, decided)}"
        if auto.get("ciencia_decisao_em"):
            decision += f", com ciência da decisão em {date_br(auto['ciencia_decisao_em'])}"
    if auto.get("defesa_tempestiva"):
        text = f"{told}, defesa em {date_br(auto['defesa_em'])} (no prazo, que ia até {date_br(end)}), {decision}"
    elif auto.get("defesa_em"):
        late = f", depois do fim do prazo, {date_br(end)}" if end else ""
        text = f"{told}, defesa só em {date_br(auto['defesa_em'])}{late}" + (f"; {decision}" if decision else "")
    elif end and end < as_of:
        text = f"{told}; o prazo de defesa acabou em {date_br(end)} sem defesa" + (f"; {decision}" if decision else "")
    else:
        text = f"{told}" + (f"; {decision}" if decision else "; sem defesa")
    if not auto.get("recurso_em"):
        return text
    appeal = f"; recurso em {date_br(auto['recurso_em'])}"
    if not auto.get("recurso_tempestivo"):
        return f"{text}{appeal}, que não muda o auto (fora do prazo ou sem defesa decidida)"
    if auto.get("decisao_recurso"):
        return f"{text}{appeal}, {auto['decisao_recurso']}"
    return f"{text}{appeal}, que nesta norma não suspende"


def _pending(auto: Mapping[str, Any], as_of: date) -> str:
    if auto.get("ciencia_em") and auto["ciencia_em"] > as_of:
        return f"a ciência é de {date_br(auto['ciencia_em'])}, depois desta data"
    if auto.get("defesa_tempestiva") and not auto.get("decisao"):
        return f"a defesa, de {date_br(auto['defesa_em'])}, ainda não foi decidida"
    if auto.get("ciencia_decisao_em") and auto["ciencia_decisao_em"] > as_of:
        return f"a ciência da decisão é de {date_br(auto['ciencia_decisao_em'])}, depois desta data"
    if auto.get("recurso_tempestivo"):
        return f"o recurso, de {date_br(auto['recurso_em'])}, suspende até ser decidido e comunicado"
    if auto.get("fim_defesa"):
        return f"o prazo de defesa vai até {date_br(auto['fim_defesa'])}"
    return "em defesa"


def _cancelled(auto: Mapping[str, Any]) -> str:
    if auto.get("decisao") == "improcedente":
        return ": a defesa foi aceita"
    if auto.get("decisao_recurso") == "provido":
        return ": o recurso foi provido"
    return f" em {date_br(auto['cancelado_em'])}" if auto.get("cancelado_em") else ""
