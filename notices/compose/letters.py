"""Operators without an e-mail address: a list for who has to find them, and letters ready to print."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path

import duckdb
from markupsafe import Markup

from notices.compose.attached import safe_cell
from notices.compose.render import environment
from notices.model import Mensagem

LIST = "sem-email.csv"
LETTERS = "cartas.html"
BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


def write_letters(mensagens: Iterable[Mensagem], pasta: Path) -> int:
    """Write `sem-email.csv` and `cartas.html` (a page each) in `pasta`; returns how many letters there are.

    Messages that have an address are left out; files of an earlier run are replaced, or removed when there is none.
    """
    cartas = [m for m in mensagens if not (m.destinatario_email or "").strip()]
    lista, folhas = pasta / LIST, pasta / LETTERS
    if not cartas:
        for velho in (lista, folhas):
            velho.unlink(missing_ok=True)
        return 0
    pasta.mkdir(parents=True, exist_ok=True)
    with lista.open("w", encoding="utf-8-sig", newline="") as arquivo:
        escrever = csv.writer(arquivo, delimiter=";", lineterminator="\r\n")
        escrever.writerow(("permissionario_id", "nome", "norma", "assunto", "itens"))
        for m in cartas:
            celulas = (m.destinatario_id, m.destinatario_nome, ", ".join(m.normas), m.assunto, str(len(m.itens)))
            escrever.writerow([safe_cell(c) for c in celulas])
    corpos = [Markup(corpo.group(1)) for m in cartas if (corpo := BODY.search(m.html))]
    folhas.write_text(environment(True).get_template("cartas.html.j2").render(corpos=corpos), encoding="utf-8")
    return len(cartas)


def with_letters(
    compose: Callable[[duckdb.DuckDBPyConnection, date], Iterator[Mensagem]], pasta: Path
) -> Callable[[duckdb.DuckDBPyConnection, date], Iterator[Mensagem]]:
    """The same composition, whose letters are written in `pasta` when it has come to its end."""

    def composed(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Mensagem]:
        cartas = []
        for mensagem in compose(con, as_of):
            if not (mensagem.destinatario_email or "").strip():
                cartas.append(mensagem)
            yield mensagem
        write_letters(cartas, pasta / f"{as_of:%Y%m%d}")

    return composed
