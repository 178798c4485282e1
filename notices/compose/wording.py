"""How findings are told to operators: notices/templates/verificacoes.toml, and the words of acts and subjects."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from checks.law.catalogue import load_catalogue
from sql.acts import kinds_of_act

#: The check whose amounts are summed in a notice, and whose consequence is the amount itself.
FINE = "multa_vencida"
TIPOS_DE_VEICULO = {
    "onibus": "ônibus",
    "onibus_urbano": "ônibus urbano",
    "onibus_rodoviario": "ônibus rodoviário",
    "onibus_misto": "ônibus misto",
    "micro_onibus": "micro-ônibus",
    "van": "van",
    "kombi": "kombi",
    "motocicleta": "motocicleta",
    "veiculo_medio_porte": "veículo de médio porte",
    "outro": "outro tipo",
}
MODALIDADES = {
    "alvara": "Alvará",
    "permissao": "Permissão",
    "concessao": "Concessão",
    "autorizacao": "Autorização",
    "permissao_emergencial": "Permissão de emergência",
    "autorizacao_especial": "Autorização especial",
}
ATOS = {
    "advertencia": "advertência",
    "suspensao": "suspensão",
    "cassacao": "cassação",
    "cassacao_matricula": "cassação da matrícula",
    "intervencao": "intervenção",
    "cancelamento": "cancelamento",
}
#: Kind of open term → (what it is, what to do).
PRAZOS = {
    "defesa": (
        "Prazo para se defender do auto",
        "Para se defender, entregue a defesa por escrito, até o dia indicado, com o número do auto e as provas.",
    ),
    "recurso": (
        "Prazo para recorrer da decisão do auto",
        "Para recorrer, entregue o recurso por escrito até o dia indicado, com o número do auto.",
    ),
    "processo_defesa": (
        "Prazo para se defender no processo",
        "Para se defender, entregue a defesa por escrito, até o dia indicado, com o número do processo e as provas.",
    ),
    "processo_recurso": (
        "Prazo para recorrer da decisão do processo",
        "Para recorrer, entregue o recurso por escrito até o dia indicado, com o número do processo.",
    ),
}


@cache
def wordings() -> Mapping[str, Mapping[str, Any]]:
    """Check → its words (see the file)."""
    texto = files("notices").joinpath("templates/verificacoes.toml").read_text(encoding="utf-8")
    return tomllib.loads(texto)


@cache
def _titles() -> Mapping[str, str]:
    return {c: spec.titulo for c, spec in load_catalogue().items()}


def for_the_body() -> tuple[str, ...]:
    """Checks that are a matter of the body itself: operators are not written to about them."""
    return tuple(sorted(c for c, w in wordings().items() if w.get("para") == "orgao"))


def owed_by_the_body() -> tuple[str, ...]:
    """Checks whose fault is the body's own: the authority is told of it, whatever the operator is told."""
    return tuple(sorted({*for_the_body(), *(c for c, w in wordings().items() if w.get("deve_orgao"))}))


@cache
def title(verificacao: str, situacao: str) -> str:
    """The finding in a few words, as what it is: a fault, to come, under decision, or for the operator to use."""
    dito = wordings().get(verificacao, {})
    if dito:
        return str(dito.get(situacao) or dito["nome"])
    # The title of a check says how things should be: told of a finding, it needs to be turned.
    como_devia = _titles().get(verificacao, verificacao.replace("_", " "))
    virada = {"violacao": "Não cumprido", "a_vencer": "A cumprir", "para_decisao": "Em análise"}.get(situacao)
    return f"{virada}: {como_devia}" if virada else como_devia


def title_of(r: Mapping[str, Any], contada: str | None = None) -> str:
    """The title of a row with `verificacao`, `situacao` and, where known, `evidencia` (JSON). `contada`: told as."""
    dito = wordings().get(r["verificacao"], {})
    if "a_mais" in dito and (sinal := _sign(r.get("evidencia"))):
        return str(dito["a_mais" if sinal > 0 else "a_menos"])
    return title(r["verificacao"], contada or r["situacao"])


def _sign(evidencia: str | None) -> Decimal:
    """What was charged too much (or too little), of the evidence; zero where it doesn't say."""
    diferenca = json.loads(evidencia or "{}", parse_float=Decimal).get("diferenca")
    return Decimal(diferenca or 0)


@cache
def kind_of_act(consequencia: str) -> tuple[str, str, int]:
    """(rotulo, natureza, gravidade) of a consequence."""
    dito = kinds_of_act().get(consequencia)
    return (
        (dito["rotulo"], dito["natureza"], dito["gravidade"]) if dito else (consequencia.replace("_", " "), "aviso", 0)
    )


def person(nome: str | None) -> str:
    """A name as one line of at most 80 characters, without what would turn the text around or hide it."""
    from notices.compose.text import one_line

    return one_line(nome, 80)
