"""The `emdia` command. One file of flows/commands per command; this one only finds them and speaks for them.

A command module has `register(app)`, or `app` (a cyclopts App), and imports nothing heavy at its top:
`emdia --help` must stay instant.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import logging
import pkgutil
import sys
from importlib.metadata import version

from cyclopts import App, CycloptsError, Group

import flows.commands
from flows.ajuda import FormatadorDeAjuda, erro_de_uso
from flows.erros import ErroConhecido
from reports.sistema import os_reason

AJUDA = """Fiscalização noturna de permissões de transporte municipal de passageiros.

Lê a pasta de extratos do cadastro, aplica as normas do município e publica os achados."""


def build_app() -> App:
    """The command with every subcommand found in flows/commands."""
    app = App(
        name="emdia",
        help=AJUDA,
        help_format="plaintext",
        help_formatter=FormatadorDeAjuda(),
        print_error=False,
        exit_on_error=False,
        version=lambda: version("emdia"),
        version_flags=["--version"],
        group_commands=Group.create_default_commands("Comandos"),
        verbose=False,
    )
    for modulo in sorted(m.name for m in pkgutil.iter_modules(flows.commands.__path__)):
        if not modulo.startswith("_"):
            _registrar(app, modulo)
    return app


def _registrar(app: App, modulo: str) -> None:
    codigo = importlib.import_module(f"flows.commands.{modulo}")
    if hasattr(codigo, "register"):
        codigo.register(app)
    else:
        app.command(codigo.app)


def main(argumentos: list[str] | None = None) -> int:
    """Run the command line; the console script exits with what is returned.

    0 done, 1 failed, 2 wrong usage, 3 done with an extract refused or stale.
    """
    logging.getLogger("emdia").addHandler(logging.NullHandler())  # the terminal has its own words
    # A process that ends has no garbage to look for; among all that the libraries left, looking takes a second.
    atexit.register(gc.freeze)
    try:
        resultado = build_app()(argumentos, result_action="return_value")
    except CycloptsError as erro:
        print(erro_de_uso(erro), file=sys.stderr)
        return 2
    except ErroConhecido as erro:
        print(f"emdia: {erro}", file=sys.stderr)
        return erro.codigo
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as erro:
        onde = f" ({erro.filename})" if erro.filename else ""
        print(f"emdia: o sistema recusou uma leitura ou escrita{onde}: {os_reason(erro)}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("emdia: interrompido.", file=sys.stderr)
        return 130
    return resultado if isinstance(resultado, int) else 0
