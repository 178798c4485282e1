"""The list of an authority as a spreadsheet: typed cells, filters, frozen header; a text is never a formula."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from notices.compose.render import document
from notices.compose.subjects import evidence_words, subject
from notices.compose.text import one_line
from notices.compose.wording import title_of
from notices.escalate.gather import Waiting
from notices.escalate.words import cause, processes, readiness, stage, who_moves
from reports.formats import date_br

Row = Mapping[str, Any]
MAX_ROWS = 1_048_000
MAX_TEXT = 2000


@dataclass(frozen=True)
class Column:
    """`kind`: texto, data, dinheiro, inteiro."""

    titulo: str
    largura: int
    valor: Callable[[Row], Any]
    kind: str = "texto"


def _situation(r: Row) -> str:
    return {"violacao": "violação", "para_decisao": "para decisão"}.get(str(r["situacao"]), str(r["situacao"]))


def _ground(r: Row) -> str:
    return title_of(r)


WAITING = (
    Column("Ato", 24, lambda r: r["rotulo"]),
    Column("Pronto?", 34, readiness),
    Column("Fundamento", 36, _ground),
    Column("Dispositivo", 24, lambda r: r["dispositivo"]),
    Column("Operador", 32, lambda r: r["nome"]),
    Column("Documento", 24, lambda r: document(r["tipo_pessoa"], r["documento"])),
    Column("Cadastro", 12, lambda r: r["permissionario_id"]),
    Column("Sobre", 40, subject),
    Column("Situação", 13, _situation),
    Column("Desde", 12, lambda r: r["devido_em"] or r["aberta_em"], "data"),
    Column("Etapa", 26, stage),
    Column("Quem age agora", 40, who_moves),
    Column("Prazo corre até", 13, lambda r: r["prazo_ate"], "data"),
    Column("Processo", 14, lambda r: r["processo_id"]),
    Column("Valor (R$)", 13, lambda r: r["valor"], "dinheiro"),
    Column("Evidência", 70, lambda r: evidence_words(r["evidencia"] or "{}")),
    Column("Atos anteriores", 50, processes),
    Column("Na lista", 10, lambda r: "novo" if r["novo"] else "persiste"),
    Column("Visto desde", 12, lambda r: r["aberta_em"], "data"),
    Column("Achado", 38, lambda r: r["achado_id"]),
)
BLOCKED = (Column("Extrato defasado", 26, lambda r: r["bloqueado"]), *WAITING)
GONE = (
    Column("Por quê", 40, cause),
    Column("Ato", 24, lambda r: r["rotulo"]),
    Column("Fundamento", 36, _ground),
    Column("Dispositivo", 24, lambda r: r["dispositivo"]),
    Column("Operador", 32, lambda r: r["nome"]),
    Column("Cadastro", 12, lambda r: r["permissionario_id"]),
    Column("Sobre", 40, subject),
    Column("Visto desde", 12, lambda r: r["aberta_em"], "data"),
    Column("Achado", 38, lambda r: r["achado_id"]),
)


def build_workbook(lista: Waiting, norma_nome: str, as_of: date, anterior: date | None, aviso: str) -> bytes:
    """The .xlsx of one authority. The same list gives the same bytes."""
    saida = io.BytesIO()
    livro = xlsxwriter.Workbook(
        saida,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "default_date_format": "dd/mm/yyyy",
        },
    )
    livro.set_properties(
        {"title": "Atos à espera de decisão", "created": datetime.combine(as_of, time()), "author": ""}
    )  # fmt: skip
    formatos = {
        "cabecalho": livro.add_format(
            {"bold": True, "bg_color": "#1d3557", "font_color": "#ffffff", "text_wrap": True, "valign": "vcenter"}
        ),
        "texto": livro.add_format({"text_wrap": True, "valign": "top"}),
        "data": livro.add_format({"num_format": "dd/mm/yyyy", "valign": "top", "align": "left"}),
        "dinheiro": livro.add_format({"num_format": "#,##0.00", "valign": "top"}),
        "inteiro": livro.add_format({"num_format": "0", "valign": "top"}),
        "titulo": livro.add_format({"bold": True, "font_size": 14}),
    }
    _summary(livro.add_worksheet("Resumo"), lista, norma_nome, as_of, anterior, aviso, formatos)
    for nome, linhas, colunas in (
        ("Atos", lista.atos, WAITING),
        ("Casos a decidir", lista.casos, WAITING),
        ("Saíram", lista.saidas, GONE),
        ("Bloqueados", lista.bloqueados, BLOCKED),
    ):
        if linhas or nome == "Atos":
            for parte in range(0, max(1, len(linhas)), MAX_ROWS):
                sufixo = f" ({parte // MAX_ROWS + 1})" if parte else ""
                _sheet(livro.add_worksheet(nome + sufixo), linhas[parte : parte + MAX_ROWS], colunas, formatos)
    livro.close()
    return saida.getvalue()


def _summary(
    folha: Worksheet,
    lista: Waiting,
    norma_nome: str,
    as_of: date,
    anterior: date | None,
    aviso: str,
    formatos: Mapping[str, Format],
) -> None:
    folha.set_column(0, 0, 34)
    folha.set_column(1, 1, 70)
    folha.write_string(0, 0, "Atos à espera de decisão", formatos["titulo"])
    linhas: list[tuple[str, str | int]] = [
        ("Norma", norma_nome),
        ("Autoridade", one_line(lista.competente, 200)),
        ("Data dos dados", date_br(as_of)),
        ("Lista anterior", date_br(anterior) if anterior else "não há"),
        ("Atos", len(lista.atos)),
        ("Prontos", sum(1 for r in lista.atos if r["pronto"])),
        ("Outros casos a decidir", len(lista.casos)),
        ("A conferir antes", sum(1 for r in lista.abertos if r.get("ressalva"))),
        ("Bloqueados por extrato defasado", len(lista.bloqueados)),
        ("Novos", lista.novos),
        ("Persistem", lista.persistem),
        ("Saíram", len(lista.saidas)),
    ]
    if aviso:
        linhas.append(("Atenção", aviso))
    for numero, (rotulo, valor) in enumerate(linhas, 2):
        folha.write_string(numero, 0, rotulo, formatos["texto"])
        if isinstance(valor, int):
            folha.write_number(numero, 1, valor, formatos["inteiro"])
        else:
            folha.write_string(numero, 1, valor, formatos["texto"])


def _sheet(folha: Worksheet, linhas: Sequence[Row], colunas: Sequence[Column], formatos: Mapping[str, Format]) -> None:
    for c, coluna in enumerate(colunas):
        folha.set_column(c, c, coluna.largura)
        folha.write_string(0, c, coluna.titulo, formatos["cabecalho"])
    for n, r in enumerate(linhas, 1):
        for c, coluna in enumerate(colunas):
            valor = coluna.valor(r)
            if valor is None or valor == "":
                folha.write_blank(n, c, None, formatos[coluna.kind])
            elif coluna.kind == "data":
                folha.write_datetime(n, c, valor, formatos["data"])
            elif coluna.kind in ("dinheiro", "inteiro"):
                folha.write_number(n, c, valor, formatos[coluna.kind])
            else:
                folha.write_string(n, c, one_line(str(valor), MAX_TEXT), formatos["texto"])
    folha.freeze_panes(1, 0)
    folha.autofilter(0, 0, max(1, len(linhas)), len(colunas) - 1)
    folha.set_landscape()
    folha.set_paper(9)
    folha.fit_to_pages(1, 0)
    folha.repeat_rows(0)
