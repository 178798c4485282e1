"""The comparison of two runs in Portuguese, for a terminal, and as plain values for a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from reports.diff_model import SHOWN, DiffResult, DiffRow
from reports.diff_runs import RunInfo
from reports.formats import date_br, int_br, money_br

KINDS = {
    "apareceu": "Apareceram (passam a ser apontados)",
    "sumiu": "Sumiram (deixam de ser apontados)",
    "mudou": "Mudaram (apontados antes e depois)",
    "fora": "Não apontados, nem antes nem depois",
}
SITUACOES = {
    "violacao": "violação",
    "a_vencer": "a vencer",
    "para_decisao": "para decisão",
    "nao_avaliado": "não avaliado",
    "dispensado": "dispensado",
}
CAUSAS = {
    "regularizado": "regularizado",
    "ausente": "o sujeito, ou o titular dele, saiu do extrato",
    "dispensado": "dispensado",
    "norma_alterada": "a norma ou o parâmetro mudou",
    "nao_avaliado": "não pôde ser avaliado",
    "avaliado": "passou a poder ser avaliado",
    "regularizado_ou_ausente": "regularizado, ou o sujeito (ou o titular dele) saiu do extrato",
}
COLUNAS = {
    "situacao": "situação",
    "devido_em": "devido em",
    "valor": "valor",
    "dispositivo": "dispositivo",
    "consequencia": "consequência",
    "competente": "competente",
    "permissionario_id": "permissionário",
    "evidencia": "evidência",
}
EXPLICA = {
    "registro": "o registro",
    "entrada": "a entrada",
    "norma": "a norma",
    "codigo": "o programa",
    "data": "a data",
}
ESTADOS = {"mudou": "mudou", "novo": "só na segunda", "ausente": "só na primeira"}


def render_diff(result: DiffResult) -> list[str]:
    """The lines of the comparison: the two runs, what changed around them, counts, the first of each kind."""
    lines = [f"De:   {_run(result.de)}", f"Para: {_run(result.para)}", "", "O que mudou à volta", *_around(result)]
    if not result.totais:
        return [*lines, "", "Os achados são os mesmos."]
    lines += ["", "Situação, antes → depois", *_moves(result)]
    for kind, title in KINDS.items():
        total = result.total(kind)
        lines += ["", f"{title}: {int_br(total)}"]
        if kind == "sumiu":
            lines += _against_ledger(result)
        lines += [f"  {int_br(n)} porque {_reason(why)}" for k, why, n in sorted(result.motivos) if k == kind and why]
        for _, check, norma, n in (t for t in result.totais if t[0] == kind):
            lines.append(f"  {int_br(n):>9}  {check}, norma {norma}")
        rows = [r for r in result.linhas if r.tipo == kind]
        lines += [f"    {_row(r)}" for r in rows]
        if total > len(rows):
            lines.append(f"    … e mais {int_br(total - len(rows))}; veja todos com --limite 0 ou --json.")
    return lines


def _moves(result: DiffResult) -> list[str]:
    """How many went from each situation to each other."""

    def word(situation: str | None) -> str:
        return SITUACOES.get(situation, situation) if situation else "sem achado"

    lines = [f"  {int_br(n):>9}  {word(de)} → {word(para)}" for de, para, n in result.transicoes]
    return lines or ["  nenhuma mudou"]


def _against_ledger(result: DiffResult) -> list[str]:
    """Why the count of what is gone may not be the night's column `encerr.`."""
    closed = result.encerrados
    if closed is None or closed == result.total("sumiu"):
        return []
    return [
        f"  A coluna «encerr.» da segunda execução traz {int_br(closed)}: ela conta contra a noite em vigor anterior"
        " àquela data, não contra a primeira execução acima."
    ]


def _reason(why: tuple[str, ...]) -> str:
    if why == ("data",):
        return "só a data andou: o que se leu do sujeito é o mesmo"
    parts = {"registro": "mudaram linhas do sujeito ou do titular", "entrada": "mudou a entrada (não se sabe de quem)"}
    words = [parts.get(x) or f"mudou {EXPLICA[x]}" for x in why]
    return " e ".join(words).replace(" e mudou a data", " e a data andou").replace("mudou a data", "a data andou")


def diff_as_dict(result: DiffResult) -> dict[str, Any]:
    """Plain values, ready for JSON with `default=str`."""

    def run(info: RunInfo) -> dict[str, Any]:
        return {
            "execucao_id": info.execucao_id,
            "as_of": info.as_of,
            "codigo_versao": info.codigo_versao,
        }

    changes = result.mudancas
    return {
        "de": run(result.de),
        "para": run(result.para),
        "mudancas": {
            "as_of": changes.as_of,
            "codigo_versao": changes.codigo,
            "extratos": [{"extrato": x, "mudanca": kind} for x, kind in changes.extratos],
            "parametros": [{"norma": n, "verificacao": v, "mudanca": kind} for n, v, kind in changes.parametros],
        },
        "totais": [{"tipo": t, "verificacao": v, "norma": n, "quantidade": q} for t, v, n, q in result.totais],
        "transicoes": [{"de": de, "para": para, "quantidade": q} for de, para, q in result.transicoes],
        "motivos": [{"tipo": t, "pode_explicar": w, "quantidade": q} for t, w, q in result.motivos],
        "encerrados": result.encerrados,
        "linhas": [asdict(r) for r in result.linhas],
    }


def _run(info: RunInfo) -> str:
    return f"{info.execucao_id}, data de referência {date_br(info.as_of)}"


def _around(result: DiffResult) -> list[str]:
    changes = result.mudancas
    lines = []
    if changes.as_of:
        lines.append(f"  data de referência: {date_br(changes.as_of[0])} → {date_br(changes.as_of[1])}")
    if changes.extratos:
        listed = ", ".join(f"{x} ({ESTADOS[kind]})" for x, kind in changes.extratos)
        lines.append(f"  extratos: {listed}")
    for norma, check, kind in changes.parametros:
        lines.append(f"  norma {norma}, {check}: parâmetros ({ESTADOS[kind]})")
    if changes.codigo:
        lines.append(f"  versão do programa: {changes.codigo[0]} → {changes.codigo[1]}")
    if not lines:
        return ["  nada: mesma data, mesmas entradas, mesma norma, mesmo programa"]
    if changes.as_of and len(lines) == 1:
        lines.append("  entradas, norma e programa são os mesmos: só a data andou")
    return lines


def _row(row: DiffRow) -> str:
    subject = f"{row.achado_id}  {row.sujeito_tipo} {row.sujeito_id}"
    if row.tipo == "apareceu":
        text = (f"{_value('situacao', row.de)} → " if row.de else "") + _value("situacao", row.para)
        due = (row.para or {}).get("devido_em")
        if due:
            text += f", devido em {date_br(due)}"
    elif row.tipo == "sumiu" or row.para is None:
        text = f"era {_value('situacao', row.de)}; {CAUSAS.get(row.causa or '', row.causa)}"
    elif row.de is None:
        text = f"agora {_value('situacao', row.para)}"
    else:
        shown = [c for c in row.colunas if c in SHOWN]
        parts = [f"{COLUNAS[c]}: {_value(c, row.de)} → {_value(c, row.para)}" for c in shown]
        parts += ["evidência"] if "evidencia" in row.colunas and not shown else []
        text = "; ".join(parts)
    return f"{subject}: {text}" + _why(row)


def _why(row: DiffRow) -> str:
    if not row.pode_explicar:
        return ""
    if row.pode_explicar == ("data",):
        return " [só a data andou]"
    words = [
        f"linhas dele ou do titular em {', '.join(row.extratos)}" if x == "registro" else EXPLICA[x]
        for x in row.pode_explicar
    ]
    return f" [{'mudaram' if 'registro' in row.pode_explicar else 'mudou'} {' e '.join(words)}]"


def _value(column: str, side: Mapping[str, Any] | None) -> str:
    value = (side or {}).get(column)
    if value is None:
        return "vazio"
    if column == "situacao":
        return SITUACOES.get(value, value)
    if isinstance(value, date):
        return date_br(value)
    if isinstance(value, Decimal):
        return money_br(value)
    return str(value)
