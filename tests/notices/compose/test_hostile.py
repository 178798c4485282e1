"""Names that would do harm: in the mail, the calendar, the lists and the letters."""

from __future__ import annotations

import csv
import dataclasses
import unicodedata
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from flows.cli import main
from notices.compose import write_letters
from notices.compose.agenda import Event, calendar_file
from notices.compose.attached import safe_cell
from notices.compose.text import one_line, wrap
from notices.model import Mensagem
from tests.notices.compose.base import AS_OF, HOSTILE, by_recipient


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.vistas: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.vistas.add(tag)


@pytest.mark.parametrize("quem", HOSTILE)
def test_hostile_names_stay_text(weekly: Sequence[Mensagem], quem: str) -> None:
    mensagem = by_recipient(weekly)[quem]
    tags = _Tags()
    tags.feed(mensagem.html)
    assert not tags.vistas & {"script", "img", "link", "iframe"}
    for texto in (mensagem.texto, mensagem.html, mensagem.assunto):
        assert not any(unicodedata.category(c) in ("Cf", "Cs") for c in texto)
    linhas = mensagem.texto.splitlines()
    assert not any(linha.startswith(("Bcc:", "Texto")) for linha in linhas)
    assert HOSTILE[quem][:20] not in mensagem.assunto
    assert "\n" not in mensagem.assunto and "\r" not in mensagem.html


def test_a_long_name_is_cut(weekly: Sequence[Mensagem]) -> None:
    (linha,) = [x for x in by_recipient(weekly)["LONGO"].texto.splitlines() if x.startswith("Nome comprido")]
    assert "…" in linha or len(linha) <= 76


def test_calendar_of_a_hostile_text() -> None:
    hostil = "a;b,c\\d\r\nEND:VCALENDAR\nBEGIN:VEVENT " + "ação 🚌 " * 40
    dados = calendar_file([Event("k", AS_OF.replace(year=2027), hostil, hostil)], AS_OF)
    assert dados.endswith(b"END:VCALENDAR\r\n") and b"\n" not in dados.replace(b"\r\n", b"")
    linhas = dados.split(b"\r\n")
    assert all(len(linha) <= 75 for linha in linhas)
    for linha in linhas:
        linha.decode("utf-8")  # no character is split
    desdobradas = dados.replace(b"\r\n ", b"").decode().split("\r\n")
    assert desdobradas.count("BEGIN:VEVENT") == 1 and desdobradas.count("END:VCALENDAR") == 1
    (titulo,) = [x for x in desdobradas if x.startswith("SUMMARY:")]
    assert titulo.startswith("SUMMARY:a\\;b\\,c\\\\d END:VCALENDAR BEGIN:VEVENT")


def test_calendar_events_are_all_day_and_keep_their_uid(weekly: Sequence[Mensagem]) -> None:
    (anexo,) = by_recipient(weekly)["K30"].anexos
    assert anexo.tipo_mime == "text/calendar"
    texto = anexo.conteudo.replace(b"\r\n ", b"").decode()
    assert "DTSTART;VALUE=DATE:20261230\r\nDTEND;VALUE=DATE:20261231\r\n" in texto
    assert texto.count("BEGIN:VALARM") == 2 and "TRIGGER:-PT15H\r\n" in texto and "TRIGGER:-P6DT15H\r\n" in texto
    (uid,) = [x for x in texto.split("\r\n") if x.startswith("UID:")]
    depois = calendar_file([Event(by_recipient(weekly)["K30"].itens[0].achado_id, AS_OF, "outro", "dia")], AS_OF)
    assert uid.encode() in depois


def test_no_alarm_in_the_past(weekly: Sequence[Mensagem]) -> None:
    (anexo,) = by_recipient(weekly)["K1"].anexos
    assert b"VALARM" not in anexo.conteudo


@pytest.mark.parametrize("texto", ["=1+1", "+55", "-3", "@x", "\t=1", " =1"])
def test_no_cell_of_a_list_is_a_formula(texto: str) -> None:
    assert safe_cell(texto)[0] == "'"


def test_letters_for_who_has_no_email(weekly: Sequence[Mensagem], tmp_path: Path) -> None:
    sem = [m for m in weekly if m.destinatario_id == "SEM_EMAIL"]
    assert sem[0].destinatario_email is None
    hostil = by_recipient(weekly)["FORMULA"]
    todas = [*weekly, dataclasses.replace(hostil, destinatario_email=" ")]
    assert write_letters(todas, tmp_path) == 2
    with (tmp_path / "sem-email.csv").open(encoding="utf-8-sig", newline="") as arquivo:
        linhas = list(csv.DictReader(arquivo, delimiter=";"))
    assert {x["permissionario_id"] for x in linhas} == {"SEM_EMAIL", "FORMULA"}
    assert all(x["nome"][:1] in "A'" for x in linhas)
    folhas = (tmp_path / "cartas.html").read_text(encoding="utf-8")
    assert folhas.count('<section class="carta">') == 2 and folhas.count("<html") == 1
    assert write_letters(weekly[:0], tmp_path) == 0 and not list(tmp_path.iterdir())


def test_the_command_leaves_the_letters(warehouse: Path, tmp_path: Path) -> None:
    assert main(["notify", "--weekly", "--warehouse", str(warehouse), "--out", str(tmp_path)]) == 0
    pasta = tmp_path / "cartas" / "semanal" / "20261130"
    assert "SEM_EMAIL" in (pasta / "sem-email.csv").read_text(encoding="utf-8-sig")
    assert (pasta / "cartas.html").exists()


def test_one_line_and_wrap() -> None:
    assert one_line("a\u202eb\x00c\u2028d\x85e") == "a b c d e"
    assert one_line("x" * 400, 10) == "x" * 9 + "…"
    dobrado = wrap("  - " + "palavra " * 30 + "R$ 1.234,56 " * 10)
    assert all(len(x) <= 76 for x in dobrado.splitlines())
    assert all(x.startswith("    ") for x in dobrado.splitlines()[1:])
    assert not any(x.endswith("R$") for x in dobrado.splitlines())
    assert wrap("a\n\n\n\nb\n\n") == "a\n\nb\n"
