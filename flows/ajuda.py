"""Cyclopts speaks English: help pages and usage errors of every command, in Portuguese."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, Any

from attrs import evolve
from cyclopts import CycloptsError
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    MixedArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)
from cyclopts.help import DefaultFormatter

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions, RenderableType

TITULOS = {"Commands": "Comandos", "Parameters": "Parâmetros", "Arguments": "Argumentos"}
USO = {
    "COMMAND": "COMANDO",
    "[OPTIONS]": "[OPÇÕES]",
    "[ARGS]": "[ARGUMENTOS]",
    "[ARGS...]": "[ARGUMENTOS...]",
}
DESCRICOES = {
    "Display this message and exit.": "Mostra esta ajuda e termina.",
    "Display application version.": "Mostra a versão e termina.",
}
TIPOS = {
    "int": "um número inteiro",
    "float": "um número",
    "Decimal": "um número",
    "date": "uma data AAAA-MM-DD",
    "datetime": "uma data AAAA-MM-DD",
    "bool": "sim ou não",
    "Path": "um caminho",
}


class FormatadorDeAjuda(DefaultFormatter):
    """The default look of a help page, with Portuguese headings, labels and usage line."""

    def __init__(self) -> None:
        super().__init__(column_specs=_colunas, show_metavar=False)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the usage line, e.g. `Uso: emdia run [OPÇÕES]`."""
        from rich.text import Text

        if usage:
            palavras = str(usage).removeprefix("Usage:").split()
            console.print(Text("Uso: " + " ".join(USO.get(p, p) for p in palavras) + "\n", style="bold"))

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print one panel (commands, parameters)."""
        painel = panel.copy(
            title=TITULOS.get(str(panel.title), panel.title),
            entries=[evolve(e, description=_traduzir(e.description)) for e in panel.entries],
        )
        super().__call__(console, options, painel)


def _traduzir(descricao: Any) -> Any:
    texto = _texto(descricao)
    return DESCRICOES.get(texto, descricao)


def _texto(descricao: Any) -> str:
    primario = getattr(descricao, "primary_renderable", descricao)
    return str(getattr(primario, "plain", primario) or "").strip()


def _colunas(console: Console, options: ConsoleOptions, entries: list[HelpEntry]) -> tuple[Any, ...]:
    from cyclopts.help.specs import ColumnSpec, NameRenderer

    largura = math.ceil(console.width * 0.35)
    nome = ColumnSpec(renderer=NameRenderer(max_width=largura), style="cyclopts.name", max_width=largura)
    return (nome, ColumnSpec(renderer=_descricao, overflow="fold"))


def _descricao(entry: HelpEntry) -> RenderableType:
    from cyclopts.help.inline_text import InlineText
    from rich.text import Text

    descricao = entry.description
    if not isinstance(descricao, InlineText):
        rico = hasattr(descricao, "__rich_console__")
        descricao = InlineText(descricao if rico else Text(str(descricao or "")))
    if entry.choices:
        descricao.append(Text(f"[um de: {', '.join(entry.choices)}]", "cyclopts.choices"))
    if entry.default is not None:
        padrao = {"True": "sim", "False": "não"}.get(str(entry.default), str(entry.default))
        descricao.append(Text(f"[padrão: {padrao}]", "cyclopts.default"))
    if entry.required:
        descricao.append(Text("[obrigatório]", "cyclopts.required"))
    return descricao


def erro_de_uso(erro: CycloptsError) -> str:
    """The message of a wrong command line, in Portuguese, with what to do next."""
    cadeia = " ".join(erro.command_chain or ())
    ajuda = f"emdia {cadeia} --help" if cadeia else "emdia --help"
    return f"Erro de uso: {_motivo(erro)}\nVeja: {ajuda}"


def _motivo(erro: CycloptsError) -> str:
    match erro:
        case UnknownCommandError():
            return _comando_desconhecido(erro)
        case UnknownOptionError():
            dado = erro.token.keyword or erro.token.value
            nomes = [n for a in erro.argument_collection if a.parse for n in a.names]
            return f"opção desconhecida: {dado}.{_sugestao(dado.split('=', 1)[0], nomes)}"
        case MissingArgumentError():
            return f"falta {_nome(erro)}."
        case CoercionError():
            return _valor_invalido(erro)
        case RepeatArgumentError():
            return f"{erro.token.keyword} foi dado mais de uma vez."
        case MixedArgumentError():
            return f"{_nome(erro)} foi dado das duas formas, com e sem o nome da opção."
        case ValidationError():
            nome = _nome(erro) if erro.argument else "os parâmetros"
            return f"valor inválido para {nome}. {erro.exception_message}".strip()
        case UnusedCliTokensError():
            return f"sobraram argumentos: {' '.join(erro.unused_tokens or [])}."
        case _:
            return str(erro)


def _comando_desconhecido(erro: UnknownCommandError) -> str:
    dado = (erro.unused_tokens or ["?"])[0]
    nomes = [n for n in erro.app or () if not n.startswith("-")]
    return f"comando desconhecido: {dado}.{_sugestao(dado, nomes)} Comandos: {', '.join(nomes)}."


def _valor_invalido(erro: CoercionError) -> str:
    tipo = getattr(erro.target_type, "__name__", None)
    onde = (erro.token.keyword if erro.token else None) or _nome(erro)
    valor = f" «{erro.token.value}»" if erro.token else ""
    if erro.msg is not None:
        return f"valor inválido para {onde}:{valor} {erro.msg}".strip()
    opcoes = getattr(erro.target_type, "__args__", None)
    if tipo is None or tipo not in TIPOS:
        esperado = "um de: " + ", ".join(map(str, opcoes)) if opcoes else str(tipo)
    else:
        esperado = TIPOS[tipo]
    return f"valor inválido para {onde}:{valor} não é {esperado}."


def _nome(erro: CycloptsError) -> str:
    return erro.argument.name if erro.argument else "um argumento"


def _sugestao(dado: str, nomes: list[str]) -> str:
    perto = difflib.get_close_matches(dado, nomes, n=1, cutoff=0.6)
    return f" Seria {perto[0]}?" if perto else ""
