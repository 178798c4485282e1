"""The settings file of a municipality: reading it, and saying where in it something is wrong."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from data.errors import explain_validation
from data.toml_errors import explain_toml
from flows.erros import ErroDeUso
from reports.sistema import os_reason

TABELA = re.compile(r"\s*\[([^\[\]]+)\]")
CHAVE = re.compile(r'\s*((?:"[^"]+"|[\w-]+)(?:\s*\.\s*(?:"[^"]+"|[\w-]+))*)\s*=')
PARTE = re.compile(r'"([^"]+)"|([\w-]+)')


def read_file(config: Path) -> tuple[dict[str, Any], str]:
    """What the file says, and its text. `ErroDeUso` where it can't be read."""
    try:
        texto = config.read_text(encoding="utf-8")
    except OSError as erro:
        raise ErroDeUso(f"não foi possível ler {config}: {os_reason(erro)}.") from None
    except UnicodeDecodeError:
        raise ErroDeUso(f"{config} não é um arquivo TOML válido: não está em UTF-8; salve-o de novo assim.") from None
    try:
        return tomllib.loads(texto), texto
    except tomllib.TOMLDecodeError as erro:
        linha, motivo = explain_toml(erro, texto)
        raise ErroDeUso(f"{config} não é um arquivo TOML válido: linha {linha}, {motivo}.") from None


def explain(erro: ValidationError, modelo: type[BaseModel], config: Path | None, texto: str) -> str:
    """Every wrong value, with its line in the file or its variable, and what would do."""
    linhas = ["configuração inválida:"]
    for detalhe, (_, mensagem) in zip(erro.errors(include_url=False), explain_validation(erro), strict=True):
        caminho = [str(parte) for parte in detalhe["loc"]]
        numero = line_of(texto, caminho)
        variavel = f"EMDIA_{caminho[0].upper()}"
        if config and (numero or variavel not in os.environ):
            onde = f"{config}, linha {numero}" if numero else f"{config}"
        else:
            onde = f"variável {variavel}"
        linhas.append(f"  {onde}: {_what(detalhe, caminho, mensagem, modelo)}.")
    return "\n".join(linhas)


def _what(detalhe: ErrorDetails, caminho: Sequence[str], mensagem: str, modelo: type[BaseModel]) -> str:
    nome = ".".join(caminho)
    match detalhe["type"]:
        case "extra_forbidden":
            return f"{nome}: não existe; os nomes são {', '.join(_names(modelo, caminho[:-1]))}"
        case "less_than_equal" | "less_than":
            mensagem = f"`{nome}`: deve ser no máximo {detalhe['ctx'].get('le', detalhe['ctx'].get('lt'))}"
    valor = detalhe["input"]
    return f"{mensagem}; está «{str(valor).lower() if isinstance(valor, bool) else valor}»"


def _names(modelo: type[BaseModel], caminho: Sequence[str]) -> Iterator[str]:
    """The names that may be written in the table at `caminho`."""
    for nome in caminho:
        campo = modelo.model_fields.get(nome)
        if campo is None or not (isinstance(campo.annotation, type) and issubclass(campo.annotation, BaseModel)):
            return
        modelo = campo.annotation
    yield from modelo.model_fields


def line_of(texto: str, caminho: Sequence[str]) -> int | None:
    """The line where a value is written, else that of its table; None where the file doesn't have it."""
    tabela: list[str] = []
    da_tabela = None
    for numero, linha in enumerate(texto.splitlines(), 1):
        if achada := TABELA.match(linha):
            tabela = achada[1].strip().split(".")
            if tabela == [*caminho[: len(tabela)]]:
                da_tabela = numero
        elif chave := CHAVE.match(linha):
            nome = [*tabela, *("".join(parte) for parte in PARTE.findall(chave[1]))]
            if nome == [*caminho[: len(nome)]]:
                return numero
    return da_tabela
