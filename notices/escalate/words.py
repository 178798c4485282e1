"""Stages, causes and earlier processes in words for who decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notices.compose.text import one_line
from notices.compose.wording import ATOS
from reports.formats import date_br

Row = Mapping[str, Any]

ETAPAS = {
    "medida_imediata": "Medida imediata",
    "exigivel": "Multa exigível",
    "a_instaurar": "Processo a instaurar",
    "instaurado": "Instaurado, sem ciência do operador",
    "prazo_de_defesa": "No prazo de defesa",
    "pronto_para_decidir": "Pronto para decidir",
    "decidido": "Decidido, sem ciência do operador",
    "prazo_de_recurso": "No prazo de recurso",
    "em_recurso": "Em recurso",
    "final": "Decisão final",
    "regularizar": "À espera de decisão",
}
CAUSAS = {
    "regularizado": "regularizado",
    "ausente": "o sujeito saiu do cadastro",
    "dispensado": "dispensado",
    "norma_alterada": "a norma ou o parâmetro mudou",
    "nao_avaliado": "não pôde ser avaliado hoje",
}
SITUACOES = {
    "a_vencer": "deixou de ser falta: agora é prazo a vencer",
    "dispensado": "dispensado",
    "nao_avaliado": "não pôde ser avaliado hoje",
}


def stage(r: Row) -> str:
    """Where the process stands."""
    if _owed(r):
        return "Dever do próprio órgão"
    return ETAPAS.get(str(r["etapa"]), str(r["etapa"]))


def readiness(r: Row) -> str:
    """Whether the authority may decide now; if not, why and until when."""
    etapa, ate = r["etapa"], r["prazo_ate"]
    if _owed(r):
        return "Sim: é dever do próprio órgão"
    if r["pronto"]:
        return "Sim" if etapa == "medida_imediata" else "Sim: a defesa já correu"
    if etapa == "prazo_de_defesa":
        return f"Não: o prazo de defesa corre até {date_br(ate)}" if ate else "Não: a defesa foi apresentada e corre"
    if etapa == "prazo_de_recurso":
        return f"Não: decidido; o prazo de recurso corre até {date_br(ate)}"
    if etapa == "a_instaurar":
        antes = r["processo_arquivado_em"]
        motivo = f" (o anterior foi encerrado em {date_br(antes)})" if antes else ""
        return f"Não: falta instaurar o processo e ouvir a defesa{motivo}; sem data até lá"
    return {
        "instaurado": "Não: o operador ainda não teve ciência; o prazo de defesa corre a partir dela",
        "decidido": "Não: decidido, falta a ciência do operador",
        "em_recurso": "Não: recurso à espera de decisão",
        "final": "Não: decisão final já tomada; falta cumpri-la ou registrá-la",
        "exigivel": "A multa está vencida: cabe a cobrança",
        "regularizar": "Sim: a norma deixa o caso à decisão",
    }.get(str(etapa), "Não")


def _owed(r: Row) -> bool:
    """A fault that calls for no act against anybody: what the body itself has to do."""
    return bool(r["etapa"] == "regularizar" and r["situacao"] == "violacao")


def cause(r: Row) -> str:
    """Why it left the list."""
    if r["causa"] and r["situacao_hoje"] in (None, "dispensado", "nao_avaliado"):
        return CAUSAS.get(str(r["causa"]), str(r["causa"]))
    if r["situacao_hoje"] in SITUACOES:
        return SITUACOES[r["situacao_hoje"]]
    if r["situacao_hoje"] is None:
        return "não está mais entre os achados"
    if r["competente_hoje"] != r["competente"]:
        return f"passou a {one_line(r['competente_hoje'], 80)}"
    return "a consequência mudou"


def processes(r: Row) -> str:
    """Earlier processes against the operator: `cassação PA00023: arquivada em 10/05/2025`."""
    return one_line("; ".join(_process(p) for p in r["processos"] or ()), 2000)


def _process(p: Row) -> str:
    texto = f"{ATOS.get(p['ato'], p['ato'])} {p['processo_id']}"
    if p["decisao"] is None:
        return f"{texto}: instaurado em {date_br(p['instaurado_em'])}, sem decisão"
    texto += f": {p['decisao']}"
    if p["decisao_em"]:
        texto += f" em {date_br(p['decisao_em'])}"
    if p["decisao_recurso"]:
        texto += f", recurso {p['decisao_recurso']}"
    return texto
