"""The comparison of two runs in Portuguese, for a terminal, and as plain values for a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from reports.diff import SHOWN, DiffResult, DiffRow
from reports.diff_runs import RunInfo
from reports.formats import date_br, int_br, money_br

KINDS = {"apareceu": "Apareceram", "sumiu": "Sumiram", "mudou": "Mudaram"}
SITUACOES = {
    "violacao": "violação",
    "a_vencer": "a vencer",
    "para_decisao": "para decisão",
    "nao_avaliado": "não avaliado",
    "dispensado": "dispensado",
}
CAUSAS = {
    "regularizado": "regularizado",
    "ausente": "o sujeito saiu do extrato",
    "dispensado": "dispensado",
    "norma_alterada": "a norma ou o parâmetro mudou",
    "nao_avaliado": "não pôde ser avaliado",
    "avaliado": "passou a poder ser avaliado",
    "regularizado_ou_ausente": "regularizado, ou o sujeito saiu do extrato",
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
EXPLICA = {"entrada": "a entrada", "norma": "a norma", "codigo": "o programa", "data": "a data"}
ESTADOS = {"mudou": "mudou", "novo": "só na segunda", "ausente": "só na primeira"}


def render_diff(result: DiffResult) -> list[str]:
    """The lines of the comparison: the two runs, what changed around them, counts, the first of each kind."""
    lines = [f"De:   {_run(result.de)}", f"Para: {_run(result.para)}", "", "O que mudou à volta", *_around(result)]
    if not result.totais:
        return [*lines, "", "Os achados são os mesmos."]
    for kind, title in KINDS.items():
        total = result.total(kind)
        lines += ["", f"{title}: {int_br(total)}"]
        for _, check, norma, n in (t for t in result.totais if t[0] == kind):
            lines.append(f"  {int_br(n):>9}  {check}, norma {norma}")
        rows = [r for r in result.linhas if r.tipo == kind]
        lines += [f"    {_row(r)}" for r in rows]
        if total > len(rows):
            lines.append(f"    … e mais {int_br(total - len(rows))}; veja todos com --limite 0 ou --json.")
    return lines


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
        text = _value("situacao", row.para)
        due = (row.para or {}).get("devido_em")
        if due:
            text += f", devido em {date_br(due)}"
    elif row.tipo == "sumiu":
        text = f"era {_value('situacao', row.de)}; {CAUSAS.get(row.causa or '', row.causa)}"
    else:
        shown = [c for c in row.colunas if c in SHOWN]
        parts = [f"{COLUNAS[c]}: {_value(c, row.de)} → {_value(c, row.para)}" for c in shown]
        parts += ["evidência"] if "evidencia" in row.colunas and not shown else []
        text = "; ".join(parts)
    why = " e ".join(EXPLICA[x] for x in row.pode_explicar)
    return f"{subject}: {text}" + (f" [mudou {why}]" if why else "")


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
