"""Stages, causes and earlier processes in words for who decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notices.compose.text import one_line
from notices.compose.wording import ATOS
from reports.formats import date_br
from reports.rotulos import who_acts, word

Row = Mapping[str, Any]

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
    """Where the act stands, in the words of the dashboard and of the prontuario."""
    return word("etapa", r["etapa"])


def who_moves(r: Row) -> str:
    """Who has to move the act on, and to what."""
    return one_line(who_acts(r["etapa"], r["competente"], r["prazo_ate"], r["agente"]), 200)


def readiness(r: Row) -> str:
    """Whether the authority may decide now; if not, why and until when."""
    etapa, ate = r["etapa"], r["prazo_ate"]
    if r.get("ressalva"):
        return f"Não: conferir antes; {one_line(r['ressalva'], 300)}"
    if etapa == "exigivel":
        return "Sim: a multa é definitiva e está vencida; cabe a cobrança"
    if etapa == "lavrar_auto":
        return _to_draw_up(r)
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
        "conferir_auto": "Sim: cabe ao órgão conferir o auto",
        "dever_do_orgao": "Sim: é dever do próprio órgão",
        "a_decidir": "Sim: a norma deixa o caso à decisão",
    }.get(str(etapa), "Não")


def _to_draw_up(r: Row) -> str:
    """What is missing of a fine without an auto: nothing is collected before the auto and its defence."""
    quem = f" (lavra: {one_line(r['agente'], 100)})" if r["agente"] else ""
    if r["situacao"] == "para_decisao":
        return f"Não: cabe decidir se é caso de auto{quem}; sem auto e sem defesa nada se cobra"
    antes = "; confira antes se os autos citados já punem esta falta" if '"auto_id"' in (r["evidencia"] or "") else ""
    return f"Não: falta lavrar o auto{quem} e correr a defesa; nada há a cobrar ainda{antes}"


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
    if r["sujeito_tipo"] == "auto":
        return "o auto foi pago: nada há a conferir nem a cobrar"
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
