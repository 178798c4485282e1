"""The comparison of two runs in Portuguese, for a terminal, and as plain values for a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from reports.diff_model import SHOWN, DiffResult, DiffRow, RowChange, Why
from reports.diff_runs import RunInfo
from reports.formats import date_br, int_br, mask_cpfs, money_br

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
OUTROS = {"norma": "mudou a norma", "codigo": "mudou o programa", "data": "a data andou"}
#: Values of these are not repeated: they name or reach a person.
PESSOAIS = frozenset({"nome", "documento", "email", "telefone", "endereco", "proprietario_documento", "nascido_em"})
ESTADOS = {"mudou": "mudou", "novo": "só na segunda", "ausente": "só na primeira"}


def render_diff(result: DiffResult) -> list[str]:
    """The lines of the comparison: the two runs, what changed around them, counts, the first of each kind."""
    lines = [f"De:   {_run(result.de)}", f"Para: {_run(result.para)}", "", "O que mudou à volta", *_around(result)]
    if not result.totais:
        return [*lines, "", "Os achados são os mesmos."]
    lines += ["", "Situação, antes → depois", *_moves(result)]
    extracts = dict(result.mudancas.extratos)
    for kind, title in KINDS.items():
        total = result.total(kind)
        lines += ["", f"{title}: {int_br(total)}"]
        if kind == "sumiu":
            lines += _against_ledger(result)
        why = sorted((-n, reason(w, extracts)) for k, w, n in result.motivos if k == kind and w.names())
        lines += [f"  {int_br(-n)}: {text}" for n, text in why]
        for _, check, norma, n in (t for t in result.totais if t[0] == kind):
            lines.append(f"  {int_br(n):>9}  {check}, norma {norma}")
        rows = [r for r in result.linhas if r.tipo == kind]
        lines += [f"    {_row(r, extracts)}" for r in rows]
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


def reason(why: Why, extracts: Mapping[str, str]) -> str:
    """What may explain a finding, in words. `extracts`: how each one changed between the two runs."""
    if why.names() == ("data",):
        return "só a data andou; o que se leu do sujeito é o mesmo"
    words = []
    if why.dispensa:
        words.append("começou ou terminou uma dispensa")
    if why.registro:
        words.append(f"mudaram linhas dele ou do titular em {_and(why.registro)}")
    if why.geral:
        words.append(f"mudaram linhas de {_and(why.geral)} que não nomeiam o sujeito")
    for kind, verb in (("novo", "passou a vir"), ("ausente", "deixou de vir")):
        words += [f"{verb} o extrato {x}" for x in why.incerto if extracts.get(x) == kind]
    changed = [x for x in why.incerto if extracts.get(x) not in ("novo", "ausente")]
    if changed:
        words.append(f"mudou {_and(changed)} (não se sabe de quem)")
    words += [text for name, text in OUTROS.items() if getattr(why, name)]
    return " e ".join(words)


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} e {names[-1]}"


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
        "motivos": [
            {"tipo": t, "pode_explicar": w.names(), **asdict(w), "quantidade": q} for t, w, q in result.motivos
        ],
        "encerrados": result.encerrados,
        "linhas": [asdict(r) | {"pode_explicar": r.pode_explicar, "extratos": r.extratos} for r in result.linhas],
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
    changed = {norma for norma, _, _ in changes.parametros}
    lines += [f"    ajuste do município na segunda: {n}: {text}" for n, text in changes.ajustes if n in changed]
    if changes.codigo:
        lines.append(f"  versão do programa: {changes.codigo[0]} → {changes.codigo[1]}")
    if not lines:
        return ["  nada: mesma data, mesmas entradas, mesma norma, mesmo programa"]
    if changes.as_of and len(lines) == 1:
        lines.append("  entradas, norma e programa são os mesmos: só a data andou")
    return lines


def _row(row: DiffRow, extracts: Mapping[str, str]) -> str:
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
    return f"{subject}: {text}" + _why(row, extracts)


def _why(row: DiffRow, extracts: Mapping[str, str]) -> str:
    why = row.porque
    if not why.names():
        return ""
    if why.names() == ("data",):
        return " [só a data andou]"
    words = []
    if why.dispensa:
        words.append("dispensa" + (f" {row.dispensa[0]}, processo {row.dispensa[1]}" if row.dispensa else ""))
    words += [describe(change) for change in row.mudancas]
    rest = row.mudancas_total - len(row.mudancas)
    if rest > 0:
        words.append(f"e mais {int_br(rest)} {'linha' if rest == 1 else 'linhas'}")
    if why.geral or why.incerto:
        words.append(reason(Why(geral=why.geral, incerto=why.incerto), extracts))
    if why.norma:
        words.append(f"mudaram os parâmetros de {row.verificacao} na norma {row.norma}")
    words += [OUTROS[name] for name in ("codigo", "data") if getattr(why, name)]
    return f" [{'; '.join(words)}]"


def describe(change: RowChange) -> str:
    """One changed row: file, line, and each column before and after."""
    where = change.arquivo + (f", linha {change.linha}" if change.linha is not None else "")
    if change.tipo != "mudou":
        return f"{where}: {'entrou' if change.tipo == 'entrou' else 'saiu'} {change.chave}"
    return f"{where} ({change.chave}): " + ", ".join(_column(*c) for c in change.colunas)


def _column(name: str, before: str | None, after: str | None) -> str:
    if name in PESSOAIS:
        return f"{name} mudou"
    return f"{name} {mask_cpfs(before) or '(vazio)'} → {mask_cpfs(after) or '(vazio)'}"


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
