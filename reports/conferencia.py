"""What `emdia source check` says of a file, in Portuguese."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from checks.extracts.defaults import PADROES
from reports.formats import count_br

if TYPE_CHECKING:
    from checks.extracts.check_file import FileReport, Problem

NIVEIS = {"rejeitado": ("linha rejeitada", "linhas rejeitadas"), "aviso": ("aviso", "avisos")}
#: Checks named beside a missing column; of the others, how many.
NOMEADAS = 3

Exigidas = Mapping[str, Sequence[str]]


def render_check(report: FileReport, exigidas: Exigidas) -> Iterator[str]:
    """The lines of one file. `exigidas`: `extrato.coluna` → the checks that can't do without it."""
    if report.extrato is None or report.carga is None:
        yield f"{report.arquivo}: o nome não corresponde a nenhum extrato."
        yield "  O nome do arquivo começa pelo do extrato, como autos-2026-11-30.csv."
        if report.sugestao:
            yield f"  {report.sugestao[0].upper()}{report.sugestao[1:]}."
        return
    load = report.carga
    yield f"{report.arquivo}: extrato {report.extrato}, {'seria aceito' if report.ok else 'SERIA RECUSADO'}."
    if load.motivo:
        yield f"  Motivo: {load.motivo}"
    if load.codificacao:
        yield f"  Codificação {load.codificacao}, delimitador {_delimiter(load.delimitador)}."
    counts = (
        count_br(load.carregadas, "carregada", "carregadas"),
        count_br(load.rejeitadas, "rejeitada", "rejeitadas"),
        count_br(load.duplicadas, "repetida", "repetidas"),
        count_br(load.ignoradas, "ignorada", "ignoradas"),
    )
    yield f"  {count_br(load.lidas, 'linha lida', 'linhas lidas')}: {', '.join(counts)}."
    yield f"  Colunas: {', '.join(report.colunas) or 'nenhuma'}."
    if report.ok:
        yield from _missing(report, exigidas)
    if load.colunas_desconhecidas:
        yield f"  Desconhecidas, não lidas: {', '.join(load.colunas_desconhecidas)}."
    # What refuses the whole file was said above, as the reason.
    problems = [p for p in report.problemas if p.nivel != "recusado"]
    if not problems and load.lidas:
        yield "  Nenhum problema nas linhas."
    for problem in problems:
        yield from _problem(problem)
    for warning in report.conferencia:
        yield f"  A conferência da carga avisaria: {warning}"


def missing(report: FileReport, exigidas: Exigidas) -> tuple[dict[str, list[str]], dict[str, str], list[str]]:
    """The optional columns that did not come: those checks need, those with a default, those nobody waits for."""
    padroes = PADROES.get(report.extrato or "", {})
    optional = [name for name in report.ausentes if name not in report.obrigatorias_ausentes]
    needed = {name: list(checks) for name in optional if (checks := exigidas.get(f"{report.extrato}.{name}"))}
    assumed = {name: padroes[name] for name in optional if name in padroes}
    return needed, assumed, [name for name in optional if name not in needed and name not in assumed]


def _missing(report: FileReport, exigidas: Exigidas) -> Iterator[str]:
    needed, assumed, others = missing(report, exigidas)
    if needed:
        verbs = "Não vieram, e deixam" if len(needed) > 1 else "Não veio, e deixa"
        yield f"  {verbs} verificações sem avaliação:"
        for name, checks in needed.items():
            rest = len(checks) - NOMEADAS
            more = f" e mais {rest}" if rest > 0 else ""
            yield f"      {name}: {', '.join(checks[:NOMEADAS])}{more}"
    if assumed:
        verbs = "Não vieram, e valem" if len(assumed) > 1 else "Não veio, e vale"
        yield f"  {verbs} pelo padrão: {'; '.join(f'{name} ({value})' for name, value in assumed.items())}."
    if others:
        verbs = "Também não vieram" if len(others) > 1 else "Também não veio"
        yield f"  {verbs}, e nenhuma verificação deixa de ser feita por isso: {', '.join(others)}."


def _problem(problem: Problem) -> Iterator[str]:
    column = f"coluna {problem.coluna}: " if problem.coluna else ""
    singular, plural = NIVEIS.get(problem.nivel, (problem.nivel, problem.nivel))
    yield f"  {count_br(problem.linhas, singular, plural)}: {column}{problem.motivo}"
    for line, value in problem.exemplos:
        where = f"linha {line}" if line is not None else "arquivo"
        yield f"      {where}: {'(vazio)' if value is None else value[:80]!r}"


def _delimiter(delimiter: str | None) -> str:
    return {"\t": "tabulação", None: "nenhum"}.get(delimiter, f"«{delimiter}»")
