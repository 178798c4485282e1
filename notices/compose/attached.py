"""The whole list of what is open, for operators with more than fits a message: a CSV a spreadsheet opens safely."""

from __future__ import annotations

import csv
import io

from notices.compose.notice import Notice
from notices.compose.text import one_line
from reports.formats import date_br, number_br

LIST_NAME = "lista.csv"
HEADER = ("situacao", "assunto", "sobre", "prazo", "valor", "detalhe", "base")


def attached_list(notice: Notice) -> bytes:
    """UTF-8 with BOM, semicolons, CRLF: one line per finding, in the order of the message."""
    saida = io.StringIO()
    escrever = csv.writer(saida, delimiter=";", lineterminator="\r\n")
    escrever.writerow(HEADER)
    for s in notice.secoes:
        for c in s.cartoes:
            for x in c.linhas:
                prazo = date_br(x.dia) if x.dia.year < 9999 else ""
                linha = (s.titulo, c.titulo, x.sujeito, prazo, number_br(x.valor), x.detalhe, c.dispositivo)
                escrever.writerow([safe_cell(v) for v in linha])
    return saida.getvalue().encode("utf-8-sig")


def safe_cell(text: str | None) -> str:
    """A cell that no spreadsheet takes for a formula: those that could start one get an apostrophe."""
    limpo = one_line(text, 2000)
    return f"'{limpo}" if limpo[:1] in ("=", "+", "-", "@") else limpo
