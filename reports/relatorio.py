"""relatorio.html: one night told in one page that works offline, on paper and on a telephone."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports import formats
from reports.dicas import command
from reports.relatorio_dados import (
    CAUSAS,
    COUNTS,
    SITUACOES,
    Row,
    is_last_run,
    read_checks,
    read_example,
    read_files,
    read_gate,
    read_missing,
    read_new_violations,
    read_norms,
    read_rejects,
    read_run,
)
from reports.resumo import Resumo

NAME = "relatorio.html"
NOVAS = 20  # new violations shown
TEMPLATES = Path(__file__).parent / "templates"

ROTULOS = {
    "violacao": "Violações",
    "a_vencer": "A vencer",
    "para_decisao": "Para decisão",
    "nao_avaliado": "Não avaliados",
    "dispensado": "Dispensados",
    "novos": "Novos",
    "reabertos": "Reabertos",
    "regularizado": "Regularizados",
    "ausente": "Ausentes do extrato",
    "norma_alterada": "Norma alterada",
}
#: Beside a count of one.
UM = {"violacao": "violação", "nao_avaliado": "não avaliado", "dispensado": "dispensado"}
CAUSA = {
    "regularizado": "regularizado",
    "dispensado": "dispensado",
    "ausente": "ausente do extrato",
    "nao_avaliado": "não avaliável hoje",
    "norma_alterada": "norma alterada",
}
DESFECHO = {
    0: ("ok", "Concluída"),
    3: ("atencao", "Concluída com extrato recusado ou defasado"),
    1: ("falha", "Falhou"),
}
SITUACAO_DA_CARGA = {"aceito": "aceito", "recusado": "recusado", "defasado": "defasado", "ausente": "ausente"}
SAIDAS = {
    "achados.csv": "todos os achados, para planilha",
    "achados.parquet": "todos os achados, para análise",
    "encerrados.csv": "os que deixaram de existir, com a causa",
    "rejeitos.csv": "todas as linhas rejeitadas e avisadas, com o motivo",
    "ressalvas.csv": "os achados que uma linha rejeitada, ou uma dispensa, ainda pode mudar: confira antes de cobrar",
}


@cache
def environment() -> Environment:
    """The template engine of the reports: everything escaped, an unknown name is an error."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "inteiro": formats.int_br,
        "plural": lambda n, one, many: one if n == 1 else many,
        "reais": formats.money_br,
        "data": formats.date_br,
        "instante": formats.datetime_br,
        "segundos": formats.seconds_br,
        "quebravel": breakable,
        "junto": lambda text: (text or "").replace(" %", "\u00a0%"),
    }
    return env


def breakable(name: str | None) -> Markup:
    """An identifier that may wrap after its underscores and dots, escaped."""
    return Markup("<wbr>").join(re.split(r"(?<=[_.])", name or ""))


def write_report(
    con: duckdb.DuckDBPyConnection,
    execucao_id: str,
    out: Path,
    resumo: Resumo | None = None,
    titulos: Mapping[str, str] | None = None,
    rejeitos_por_arquivo: int = 20,
) -> Path:
    """Write relatorio.html of a recorded run into ``out`` and return its path; the page appears whole or not.

    ``resumo`` is the night's live summary, fresher than what the ledger holds while the run goes on; without
    it the stored one is told. ``titulos`` names the checks (default: their check.toml). Times per check and
    the norms' texts are those of the last run executed, which are the only ones the warehouse keeps.
    Raises `RunNotFound`.
    """
    html = render_report(con, execucao_id, resumo, titulos, rejeitos_por_arquivo)
    out.mkdir(parents=True, exist_ok=True)
    path = out / NAME
    temporary = out / f".{NAME}.{os.getpid()}.tmp"
    try:
        temporary.write_text(html, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def render_report(
    con: duckdb.DuckDBPyConnection,
    execucao_id: str,
    resumo: Resumo | None = None,
    titulos: Mapping[str, str] | None = None,
    rejeitos_por_arquivo: int = 20,
) -> str:
    """The page as text; see `write_report`."""
    run = read_run(con, execucao_id)
    told = resumo.as_dict() if resumo else run["resumo"]
    current = is_last_run(con, execucao_id)
    gone = [c for c in told.get("cargas", []) if c["situacao"] == "ausente"]
    files = _with_dates(read_files(con, execucao_id), gone)
    titles = _titles() if titulos is None else titulos
    checks = read_checks(con, execucao_id, titles, current)
    new, new_total = read_new_violations(con, execucao_id, titles, NOVAS)
    named = {c["extrato"] for c in gone}
    ended = told.get("codigo_saida", run["codigo_saida"])
    code = 1 if ended is None else int(ended)
    return (
        environment()
        .get_template("relatorio.html.j2")
        .render(
            run=run,
            desfecho=DESFECHO.get(code, DESFECHO[1]),
            codigo_saida=code,
            simulacao=bool(told.get("simulacao")),
            erros=_not_said_below(told.get("erros", []), checks),
            avisos=_not_said_above(told.get("avisos", []), files, gone),
            etapas=told.get("etapas") or run["etapas"],
            saidas=_outputs(told.get("saidas", [])),
            arquivos=[f for f in files if f["situacao"] != "ausente" or f["extrato"] in named],
            ausentes=[f["extrato"] for f in files if f["situacao"] == "ausente" and f["extrato"] not in named],
            sumidos=gone,
            novas=new,
            novas_total=new_total,
            comando=partial(command, warehouse=told.get("banco_simulado") or told.get("warehouse")),
            recusados=[f for f in files if f["situacao"] == "recusado"],
            defasados=_stale(files),
            **split_gate(read_gate(con, execucao_id)),
            verificacoes=checks,
            **_worth_showing(checks),
            totais=totals(checks),
            ressalvas=told.get("ressalvas", 0),
            faltas=read_missing(con, execucao_id),
            rejeitos=read_rejects(con, execucao_id, rejeitos_por_arquivo),
            exemplo=read_example(con, execucao_id),
            **read_norms(con, current),
            atual=current,
            situacoes=SITUACOES,
            causas=CAUSAS,
            rotulos=ROTULOS,
            causa=CAUSA,
            um=UM,
            situacao_da_carga=SITUACAO_DA_CARGA,
        )
    )


def split_gate(gate: list[Row]) -> dict[str, list[Row]]:
    """The gate's rows as the page groups them: to act on, and passed."""
    return {
        "portao_pendente": [r for r in gate if r["sucesso"] is not True],
        "portao_passou": [r for r in gate if r["sucesso"] is True],
    }


def totals(checks: list[Row]) -> dict[str, int]:
    """Every count summed over the checks."""
    return {k: sum(c["total"][k] for c in checks) for k in COUNTS}


def _stale(files: list[Row]) -> list[Row]:
    """Each stale extract once, with the date its rows come from."""
    seen: dict[str, Any] = {}
    for f in files:
        if f["situacao"] == "defasado":
            seen.setdefault(f["extrato"], f["origem_as_of"])
    return [{"extrato": e, "origem_as_of": d} for e, d in seen.items()]


def _with_dates(files: list[Row], gone: list[Row]) -> list[Row]:
    """The files, those that came before and not tonight with the date they last came on."""
    dates = {c["extrato"]: c["origem_as_of"] for c in gone}
    return [f | {"origem_as_of": dates.get(f["extrato"])} if f["situacao"] == "ausente" else f for f in files]


def _worth_showing(checks: list[Row]) -> dict[str, Any]:
    """The checks that have something to count or that crashed, their norms likewise, and how many are left out."""
    for check in checks:
        for norm in check["normas"]:
            norm["mostrar"] = norm["falhou"] or any(norm[c] for c in COUNTS)
    shown = [c for c in checks if any(n["mostrar"] for n in c["normas"])]
    return {"com_achados": shown, "ocultas": len(checks) - len(shown)}


def _not_said_above(avisos: list[str], files: list[Row], gone: list[Row]) -> list[str]:
    """The warnings, without those that repeat why a file was refused or that an extract didn't come."""
    reasons = [f["motivo"] for f in files if f["situacao"] == "recusado" and f["motivo"]]
    reasons += [c["motivo"] for c in gone if c["motivo"]]
    return [a for a in avisos if not any(r in a for r in reasons)]


def _not_said_below(erros: list[str], checks: list[Row]) -> list[str]:
    """The errors, without those of crashed checks, which are told with their own message."""
    crashed = [f"verificação {c['verificacao']} falhou" for c in checks if c["falhou"]]
    return [e for e in erros if not any(c in e for c in crashed)]


def _outputs(paths: list[str]) -> list[Row]:
    return [{"caminho": p, "o_que": SAIDAS.get(Path(p).name, "")} for p in paths]


def _titles() -> dict[str, str]:
    from checks.law.catalogue import load_catalogue

    return {check.id: check.titulo for check in load_catalogue().values()}
