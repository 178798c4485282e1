"""The story as text: one frame for all checks, and a template of its own for how each check counts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from itertools import groupby
from typing import Any

import jinja2

from reports.explain.autos import why
from reports.explain.rules import provisions_of
from reports.explain.story import Explanation, Night
from reports.explain.terms import Terms, weekday
from reports.explain.vocabulary import description, label, write
from reports.formats import date_br, datetime_br, int_br, money_br

WIDTH = 96
SITUACOES = {
    "violacao": "violação",
    "a_vencer": "a vencer",
    "para_decisao": "para decisão da autoridade",
    "nao_avaliado": "não avaliado",
    "dispensado": "dispensado",
}
ESTADOS = {"novo": "novo", "persiste": "persiste", "reaberto": "reaberto"}
CAUSAS = {
    "regularizado": "encerrado: regularizado",
    "ausente": "encerrado: o sujeito, ou o titular dele, saiu do extrato",
    "dispensado": "deixou de estar aberto: dispensado",
    "norma_alterada": "encerrado: a norma ou o parâmetro mudou",
    "nao_avaliado": "deixou de estar aberto: não pôde ser avaliado",
}
CONSEQUENCIAS = {
    "advertencia": "advertência",
    "multa": "multa",
    "recolhimento": "recolhimento do veículo",
    "retencao": "retenção do veículo",
    "apreensao": "apreensão do veículo",
    "suspensao": "suspensão",
    "suspensao_matricula": "suspensão da matrícula",
    "cassacao_matricula": "cassação da matrícula",
    "cassacao": "cassação",
    "cancelamento": "cancelamento",
    "impedimento": "impedimento",
    "regularizacao": "regularização",
    "informacao": "informação",
}
SUJEITOS = {
    "permissionario": "Permissionário",
    "veiculo": "Veículo",
    "alvara": "Alvará",
    "condutor": "Condutor",
    "auto": "Auto de infração",
    "linha": "Linha",
    "norma": "Norma",
}
#: Columns of the extracts that the evidence has no word for.
COLUNAS = {
    "funcao": "função",
    "local": "em",
    "nome": "nome",
    "tipo": "tipo",
}


def _one_line(value: Any) -> Any:
    """What comes from the registry can't start a line of its own nor command the terminal."""
    if isinstance(value, str):
        return "".join(c if c.isprintable() else " " for c in value)
    return value


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("reports", "explain"),
        autoescape=False,  # a text for a terminal, not HTML
        finalize=_one_line,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.do"],
    )
    environment.filters.update(data=date_br, dia=weekday, instante=datetime_br, brl=money_br, inteiro=int_br)
    return environment


def render_explanation(explanation: Explanation) -> str:
    """The whole story as plain text, ending in a newline."""
    environment = _environment()
    template = environment.select_template([f"{explanation.achado['verificacao']}.txt.j2", "generica.txt.j2"])
    text = template.render(
        x=explanation,
        a=explanation.achado,
        e=_Evidence(explanation.evidencia),
        regras=explanation.regras,
        t=Terms(explanation.dias_parados),
        campos=_fields(explanation.evidencia),
        tabelas=_tables(explanation),
        notas=lambda row: _notes(explanation, row),
        porque=lambda auto_id: _why(explanation, auto_id),
        noites=_spans(explanation.noites),
        situacoes=SITUACOES,
        causas=CAUSAS,
        consequencias=CONSEQUENCIAS,
        sujeitos=SUJEITOS,
        rotulo=lambda name: COLUNAS.get(name, label(name).lower()),
        escreve=write,
    )
    return "\n".join(_wrap(text)) + "\n"


def explanation_as_dict(explanation: Explanation) -> dict[str, Any]:
    """Plain values, ready for JSON with `default=str`."""
    data = asdict(explanation)
    data["dias_parados"] = {day.isoformat(): why for day, why in explanation.dias_parados.items()}
    return data


class _Evidence(dict[str, Any]):
    """Evidence fields by name; one that an older night did not record is empty, not an error."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)


@dataclass(frozen=True)
class Field:
    """One field of the evidence as it is shown."""

    rotulo: str
    valor: str
    descricao: str


@dataclass(frozen=True)
class Table:
    """One table of the evidence as it is shown, a line per row."""

    rotulo: str
    descricao: str
    #: each row, and what there is to add about it.
    linhas: list[tuple[str, list[str]]]


def _fields(evidence: Mapping[str, Any]) -> list[Field]:
    """The simple fields that say something; tables are told apart."""
    return [
        Field(label(name), write(name, value), description(name))
        for name, value in evidence.items()
        if value is not None
        and value is not False
        and value != []
        and not _is_table(value)
        and name not in ("falta", "dispensa")
    ]


def _tables(explanation: Explanation) -> list[Table]:
    """The tables of the evidence but the dispensa, which has its own place."""
    return [
        Table(
            label(name),
            description(name),
            [(write(name, row), _notes(explanation, row)) for row in _as_rows(value)],
        )
        for name, value in explanation.evidencia.items()
        if _is_table(value) and name != "dispensa"
    ]


def _notes(explanation: Explanation, row: Mapping[str, Any]) -> list[str]:
    """Of a row that names an auto: the conduct in words, the provision it falls under, and why the auto counts."""
    auto_id = row.get("auto_id")
    auto = explanation.autos.get(auto_id or "", {})
    code = row.get("codigo") or auto.get("codigo")
    notes = []
    infraction = explanation.regras["infracoes"].get(code)
    if row.get("codigo") and infraction and infraction.get("descricao"):
        where = f" ({infraction['dispositivo']})" if infraction.get("dispositivo") else ""
        notes.append(f"Conduta: {infraction['descricao']}{where}.")
    provisions = provisions_of(explanation.regras, row.get("codigo"))
    if provisions:
        notes.append(f"Leva a esta consequência por {'; '.join(provisions)}, que alcança o código {code}.")
    if reason := _why(explanation, auto_id):
        notes.append(f"Auto {reason}.")
    return notes


def _why(explanation: Explanation, auto_id: str | None) -> str:
    """Why an auto counts, or does not yet; empty where the last run does not say."""
    auto = explanation.autos.get(auto_id or "")
    return why(auto, explanation.as_of) if auto else ""


def _as_rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _spans(nights: Sequence[Night]) -> list[str]:
    """The nights in words, those in a row that say the same told once."""

    def said(night: Night) -> tuple[str, str]:
        if night.causa:
            return CAUSAS.get(night.causa, night.causa), ""
        situation = SITUACOES.get(night.situacao or "", night.situacao or "")
        return situation, "" if night.estado == "persiste" else ESTADOS.get(night.estado or "", "")

    lines: list[str] = []
    spans: list[tuple[str, str, list[date]]] = []
    for (text, state), group in groupby(nights, said):
        days = [night.as_of for night in group]
        if spans and not state and spans[-1][0] == text:
            spans[-1][2].extend(days)
        else:
            spans.append((text, state, days))
    last = nights[-1].estado if nights else None
    for at, (text, state, days) in enumerate(spans):
        when = date_br(days[0])
        if len(days) > 1:
            when += f" a {date_br(days[-1])} ({len(days)} noites)"
        if state and len(days) > 1:
            final = ESTADOS.get(last or "", "persiste") if at == len(spans) - 1 else "persiste"
            state = f"{state} em {date_br(days[0])}, {final} em {date_br(days[-1])}"
        lines.append(f"{when}: {text}" + (f" ({state})" if state else ""))
    return lines


def _wrap(text: str) -> list[str]:
    """Lines of at most WIDTH, continuations under their own text, never two empty ones together."""
    lines: list[str] = []
    for line in text.split("\n"):
        clean = line.rstrip()
        if not clean and lines and not lines[-1]:
            continue
        indent = re.match(r"\s*(?:- |\d+\. )?", clean)
        hang = " " * len(indent.group()) if indent else ""
        lines += textwrap.wrap(clean, WIDTH, subsequent_indent=hang, break_on_hyphens=False) or [""]
    while lines and not lines[-1]:
        lines.pop()
    return lines
