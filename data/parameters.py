"""Do the parameters a norm gives fit what the check declares in its check.toml?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from data.errors import Problema
from data.model import CheckSpec, Norm, Origem

_TIPOS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "inteiro": (lambda v: type(v) is int, "um número inteiro"),
    "decimal": (lambda v: type(v) is int or isinstance(v, Decimal), "um número (0.4)"),
    "texto": (lambda v: isinstance(v, str), "um texto entre aspas"),
    "booleano": (lambda v: isinstance(v, bool), "true ou false"),
    "data": (lambda v: type(v) is date, "uma data AAAA-MM-DD sem aspas"),
    "lista[texto]": (
        lambda v: isinstance(v, tuple) and all(isinstance(x, str) for x in v),
        'uma lista ["a", "b"]',
    ),
    "lista[inteiro]": (lambda v: isinstance(v, tuple) and all(type(x) is int for x in v), "uma lista [1, 2]"),
}


def is_optional(tipo: Any) -> bool:
    """A type ending in `?` (or an enumeration holding "?") may be left out by the norm."""
    return tipo.endswith("?") if isinstance(tipo, str) else "?" in tipo


def type_error(tipo: Any, valor: Any) -> str | None:
    """What is wrong with the value for that declared type (Portuguese), or None."""
    if not isinstance(tipo, str):
        opcoes = [str(o) for o in tipo if o != "?"]
        return None if valor in opcoes else f"{valor!r} não é um de: {', '.join(opcoes)}"
    nome = tipo.removesuffix("?")
    if nome not in _TIPOS:
        return f"o check.toml declara o tipo desconhecido {tipo!r}"
    serve, descricao = _TIPOS[nome]
    return None if serve(valor) else f"deve ser {descricao}, e não {valor!r}"


def parameter_problems(norms: Iterable[Norm], catalogue: Mapping[str, CheckSpec]) -> list[Problema]:
    """Every parameter that is missing, unknown or of the wrong type, with file and line."""
    problemas: list[Problema] = []
    for norm in norms:
        for check_id, versoes in norm.verificacoes.items():
            for v in versoes:
                if check_id not in catalogue:
                    texto = f"verificação desconhecida `{check_id}`: não há pasta com este nome em checks/law"
                    problemas.append(Problema(v.origem.arquivo, v.origem.linha, texto))
                    continue
                spec = catalogue[check_id]
                problemas.extend(_compare(v.parametros, spec.parametros, v.origem, check_id))
                if v.regras and not spec.regra:
                    texto = f"`{check_id}` não tem linhas de regra"
                    problemas.append(Problema(v.origem.arquivo, v.regras[0].origem.linha, texto))
                    continue
                for regra in v.regras:
                    problemas.extend(_compare(regra.parametros, spec.regra, regra.origem, f"{check_id}.regra"))
    return problemas


def _compare(valores: Mapping[str, Any], tipos: Mapping[str, Any], origem: Origem, quem: str) -> list[Problema]:
    problemas: list[Problema] = []
    for nome, tipo in tipos.items():
        if nome in valores:
            erro = type_error(tipo, valores[nome])
            if erro:
                problemas.append(Problema(*origem.where(nome), f"`{quem}`, `{nome}`: {erro}"))
        elif not is_optional(tipo):
            problemas.append(Problema(origem.arquivo, origem.linha, f"`{quem}`: falta o parâmetro `{nome}`"))
    for nome in valores.keys() - tipos.keys():
        conhecidos = ", ".join(tipos) or "nenhum"
        texto = f"`{quem}`: parâmetro desconhecido `{nome}` (declarados: {conhecidos})"
        problemas.append(Problema(*origem.where(nome), texto))
    return problemas
