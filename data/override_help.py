"""What an `[[ajuste]]` could have said: the parameters and keys that exist, named in the message of what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from data import rows
from data.build import CAMPOS_VERIFICACAO
from data.folder import TABELAS_CSV, TABELAS_TOML
from data.model import Ajuste, CheckSpec

#: Fields of a row that an override may not touch: when it holds, what it is, rows nested in it.
PROIBIDOS = frozenset({"vigente_de", "vigente_ate", "id", "regra", "limite"})
MOSTRADAS = 12


def table_parameters(tabela: str, chave: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The fields of a table's rows that may be adjusted; those of its key are what it is found by."""
    if tabela == "pontuacao_limite":
        campos = rows.LimitePontos.model_fields
    else:
        _, tipo, _ = TABELAS_CSV[tabela] if tabela in ("infracoes", "taxas", "autoridades") else TABELAS_TOML[tabela]
        campos = tipo.model_fields
    return tuple(c for c in campos if c not in PROIBIDOS and c not in chave)


def check_parameters(ajuste: Ajuste, catalogue: Mapping[str, CheckSpec] | None) -> tuple[str, ...] | None:
    """The parameters of a check, or of its rule rows where there is a `chave`; None where nobody can say."""
    spec = (catalogue or {}).get(ajuste.verificacao or "")
    if spec is None:
        return None
    if ajuste.chave is not None:
        return (*spec.regra, "dispositivo", "leitura", "alternativa")
    return (*spec.parametros, *sorted(CAMPOS_VERIFICACAO - PROIBIDOS))


def unknown_parameter(ajuste: Ajuste, validos: Iterable[str], tabelas: Mapping[str, tuple[str, ...]]) -> str | None:
    """Why `parametro` won't do and which would; None where it is one of `validos`."""
    validos = tuple(validos)
    if ajuste.parametro in validos:
        return None
    onde = [t for t, chave in tabelas.items() if t != ajuste.tabela and ajuste.parametro in table_parameters(t, chave)]
    outras = _or(f"tabela = '{t}'" for t in onde) if onde else ""
    alheio = f"; `{ajuste.parametro}` fica em {outras}" if onde else ""
    quem = ajuste.tabela or ajuste.verificacao
    return f"`{quem}` não tem o parâmetro `{ajuste.parametro}`{alheio}. Os dela são: {', '.join(validos)}"


def keys_text(chaves: Iterable[Any]) -> str:
    """The keys there are, the first of them where they are many."""
    textos = list(dict.fromkeys(str(c) for c in chaves))
    mais = f" e mais {len(textos) - MOSTRADAS}" if len(textos) > MOSTRADAS else ""
    return ", ".join(textos[:MOSTRADAS]) + mais if textos else "nenhuma"


def near_checks(nome: str, existentes: Iterable[str]) -> str:
    """The checks of the norm whose names are nearest."""
    perto = get_close_matches(nome, list(existentes), 3, 0.5)
    return f"; seria {_or(f'`{p}`' for p in perto)}?" if perto else ""


def _or(textos: Iterable[str]) -> str:
    lista = list(textos)
    return lista[0] if len(lista) == 1 else f"{', '.join(lista[:-1])} ou {lista[-1]}"
