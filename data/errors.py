"""Problems found in the data of the norms, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails


@dataclass(frozen=True, order=True)
class Problema:
    """One problem: where it is and what to do about it (Portuguese)."""

    arquivo: str
    linha: int
    mensagem: str

    def __str__(self) -> str:
        return f"{self.arquivo}, linha {self.linha}: {self.mensagem}"


class NormError(Exception):
    """The data of a norm, a holiday file or an override file cannot be used. Lists every problem at once."""

    def __init__(self, problemas: Iterable[Problema]) -> None:
        self.problemas = tuple(sorted(set(problemas)))
        quantos = len(self.problemas)
        titulo = "1 problema" if quantos == 1 else f"{quantos} problemas"
        super().__init__("\n".join([f"{titulo} nos dados das normas:", *(f"  {p}" for p in self.problemas)]))


_MENSAGENS = {
    "missing": "falta preencher este campo",
    "extra_forbidden": "campo desconhecido; confira o nome ou apague a linha",
    "string_type": "deve ser um texto entre aspas",
    "string_too_short": "não pode ficar vazio",
    "int_type": "deve ser um número inteiro",
    "int_parsing": "deve ser um número inteiro",
    "int_from_float": "deve ser um número inteiro",
    "bool_type": "deve ser true ou false",
    "bool_parsing": "deve ser sim ou nao",
    "date_type": "deve ser uma data AAAA-MM-DD, sem aspas",
    "date_parsing": "deve ser uma data AAAA-MM-DD",
    "date_from_datetime_parsing": "deve ser uma data AAAA-MM-DD",
    "date_from_datetime_inexact": "deve ser uma data sem hora",
    "decimal_type": "deve ser um número decimal com ponto (0.40)",
    "decimal_parsing": "deve ser um número decimal com ponto (0.40)",
    "tuple_type": 'deve ser uma lista ["a", "b"]',
    "list_type": 'deve ser uma lista ["a", "b"]',
    "frozen_set_type": 'deve ser uma lista ["a", "b"]',
    "set_type": 'deve ser uma lista ["a", "b"]',
    "float_type": "deve ser um número decimal com ponto (0.40)",
    "float_parsing": "deve ser um número decimal com ponto (0.40)",
    "path_type": "deve ser um caminho entre aspas",
    "dict_type": "deve ser uma tabela de nome = valor",
    "model_type": "deve ser uma seção, com os nomes embaixo dela",
    "model_attributes_type": "deve ser uma seção, com os nomes embaixo dela",
}


def _explain(erro: ErrorDetails) -> str:
    tipo, ctx = erro["type"], erro.get("ctx", {})
    if tipo in _MENSAGENS:
        texto = _MENSAGENS[tipo]
    elif tipo == "literal_error":
        texto = f"valor {erro['input']!r} não é um de: {ctx.get('expected', '').replace(' or ', ' ou ')}"
    elif tipo == "value_error":
        return str(ctx.get("error", erro["msg"]))
    elif tipo in {"greater_than_equal", "greater_than"}:
        texto = f"deve ser maior que {ctx['gt']}" if "gt" in ctx else f"deve ser no mínimo {ctx.get('ge')}"
    elif tipo == "string_pattern_mismatch":
        texto = f"valor {erro['input']!r} não tem a forma esperada ({ctx.get('pattern')})"
    else:
        texto = f"valor {erro['input']!r} inválido ({tipo})"
    campo = ".".join(str(p + 1) if isinstance(p, int) else p for p in erro["loc"])
    return f"`{campo}`: {texto}" if campo else texto


def explain_validation(erro: ValidationError) -> list[tuple[tuple[str | int, ...], str]]:
    """Pydantic's errors as (path of the field, Portuguese message)."""
    return [(tuple(e["loc"]), _explain(e)) for e in erro.errors(include_url=False)]
