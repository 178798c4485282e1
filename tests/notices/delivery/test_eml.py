"""The message as bytes: read back by the standard library it says what was composed, whatever the registry held."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notices.delivery.addresses import allowed, header_name, header_text, valid_address
from notices.delivery.eml import Sender, build_eml, message_id, valid_sender
from notices.model import Anexo, Item, message_key
from tests.notices.delivery.base import AS_OF, DE, Relogio, item, message

HOSTIS = (
    "=cmd|' /C calc'!A0",
    "Ana\r\nBcc: ladrao@fora.test",
    "Ana\nSubject: outro\n\ncorpo",
    '<script>alert("x")</script>',
    "x" * 300,
    "Ação 🚌🇧🇷 João",
    "\u202eanA oãoJ\u202c \u200f",
    "محمد العربي",
    '"Ana", outro@fora.test, ',
    "=?utf-8?q?Ana=0ABcc:_x@y.test?=",
    "Ana\x00\x1b[31m\x07",
    "",
)


def read(eml: bytes) -> EmailMessage:
    return cast(EmailMessage, email.message_from_bytes(eml, policy=email.policy.default))


def build(**campos: object) -> bytes:
    return build_eml(message("P1", **campos), "p1@cidade.test", DE, Relogio()())  # type: ignore[arg-type]


@pytest.mark.parametrize("nome", HOSTIS)
def test_hostile_names_stay_in_their_place(nome: str) -> None:
    eml = build(destinatario_nome=nome, assunto=f"Aviso a {nome}", texto=f"Olá, {nome}")
    m = read(eml)
    assert [k for k in m.keys() if k.lower() in ("bcc", "cc", "to", "subject")] == ["To", "Subject"]  # noqa: SIM118
    assert [a.addr_spec for a in m["To"].addresses] == ["p1@cidade.test"]
    assert not m.defects
    cabecalho = eml.split(b"\r\n\r\n", 1)[0]
    assert max(map(len, cabecalho.split(b"\r\n"))) <= 78
    for valor in (str(m["To"]), str(m["Subject"])):
        assert all(c.isprintable() for c in valor), valor
        assert not set(valor) & set("\u202e\u202c\u200f")


@settings(deadline=None, max_examples=60)
@given(st.text(), st.text(), st.text())
def test_any_text_comes_out_as_it_went_in(nome: str, assunto: str, texto: str) -> None:
    eml = build(destinatario_nome=nome, assunto=assunto, texto=texto)
    assert eml.isascii()
    assert eml.count(b"\n") == eml.count(b"\r\n") == eml.count(b"\r")
    assert max(map(len, eml.split(b"\r\n"))) <= 78
    m = read(eml)
    corpo = m.get_body(("plain",))
    assert corpo is not None
    seguro = texto.encode("utf-8", "replace").decode()
    assert corpo.get_content().splitlines() == (seguro.splitlines() or [""])
    assert m["Subject"] is not None
    assert [a.addr_spec for a in m["To"].addresses] == ["p1@cidade.test"]


def test_text_and_html_are_each_their_own() -> None:
    m = read(build(texto="primeira\nsegunda linha com ação\n", html="<p>primeira</p>\n<p>ação</p>\n"))
    assert m.get_content_type() == "multipart/mixed"
    plano, html = m.get_body(("plain",)), m.get_body(("html",))
    assert plano is not None
    assert html is not None
    assert plano.get_content().replace("\r\n", "\n") == "primeira\nsegunda linha com ação\n"
    assert html.get_content().replace("\r\n", "\n") == "<p>primeira</p>\n<p>ação</p>\n"


def test_attachments() -> None:
    anexos = (
        Anexo("prazos.ics", "text/calendar", b"BEGIN:VCALENDAR\r\n"),
        Anexo("relação/de\ratos.csv", "text/csv", "a;ção\n".encode()),
        Anexo("lista.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", bytes(range(256))),
    )
    lidos = list(read(build(anexos=anexos)).iter_attachments())
    assert [a.get_filename() for a in lidos] == ["prazos.ics", "relação-de atos.csv", "lista.xlsx"]
    assert [a.get_content_disposition() for a in lidos] == ["attachment"] * 3
    assert [a.get_payload(decode=True) for a in lidos] == [a.conteudo for a in anexos]
    m = read(build(anexos=()))
    assert m.get_content_type() == "multipart/alternative"
    assert not list(m.iter_attachments())


def test_headers_of_an_automatic_message() -> None:
    de = Sender("avisos@prefeitura.test", "Prefeitura de São João", "atende@prefeitura.test")
    m = read(build_eml(message("P1"), "p1@cidade.test", de, Relogio()()))
    assert m["From"].addresses[0].display_name == "Prefeitura de São João"
    assert m["Reply-To"] == "atende@prefeitura.test"
    assert m["Auto-Submitted"] == "auto-generated"
    assert m["Date"].datetime == Relogio()().replace(microsecond=0)
    assert m["Message-ID"] == f"<{message('P1').chave}@prefeitura.test>"


def test_the_same_notice_has_the_same_bytes_and_another_week_another_id() -> None:
    assert build() == build()
    a, b = message("P1"), message("P1", as_of=AS_OF.replace(day=23))
    assert a.assunto == b.assunto  # yagmail's own Message-ID would be the same
    assert message_id(a.chave, DE.endereco) != message_id(b.chave, DE.endereco)


def test_key_depends_on_what_is_told_not_on_its_order() -> None:
    def key(*itens: Item) -> str:
        return message_key("semanal", "P1", AS_OF, itens)

    a, b = item("a1"), item("a2", "antes_7")
    assert key(a, b) == key(b, a)
    assert len({key(a), key(b), key(a, b), key(item("a1", "antes_7")), key(item("a1", reaberta=1))}) == 5
    assert re.fullmatch(r"semanal-20261130-[0-9a-f]{24}", key(a))


@pytest.mark.parametrize(
    ("texto", "certo"),
    [
        (" Ana.Silva+x@Exemplo.COM.br ", "Ana.Silva+x@exemplo.com.br"),
        ("ana@prefeitura-são.br", "ana@xn--prefeitura-so-7eb.br"),
        ("ana", None),
        ("", None),
        (None, None),
        ("ana@", None),
        ("@x.br", None),
        ("ana@localhost", None),
        ("joão@x.br", None),
        ("a@x.br; b@y.br", None),
        ("a@x.br,b@y.br", None),
        ("Ana <a@x.br>", None),
        ("a..b@x.br", None),
        ("a@x.br\r\nBcc: b@y.br", None),
        ("a b@x.br", None),
        ("/etc/passwd", None),
        ("a@" + "x" * 64 + ".br", None),
        ("a" * 64 + "@x.br", "a" * 64 + "@x.br"),
        ("a" * 65 + "@x.br", None),
    ],
)
def test_addresses(texto: str | None, certo: str | None) -> None:
    assert valid_address(texto) == certo


def test_allow_list() -> None:
    lista = ("Ana@x.br", "@prefeitura.br")
    assert allowed("ana@X.br", lista)
    assert allowed("bia@prefeitura.br", lista)
    for fora in ("bia@x.br", "bia@outra-prefeitura.br", "bia@prefeitura.br.fora.test", "x@sub.prefeitura.br"):
        assert not allowed(fora, lista), fora
    assert not allowed("ana@x.br", ())


def test_limits_of_text() -> None:
    assert header_text("a" * 10, 10) == "a" * 10
    assert header_text("a" * 11, 10) == "a" * 9 + "…"
    assert header_name('Silva & "Cia", Ltda. (ME) <x@y>') == "Silva & Cia Ltda. ME x y"


def test_sender_of_the_settings() -> None:
    assert valid_sender("avisos@p.br", "N", None) == Sender("avisos@p.br", "N")
    assert valid_sender("avisos", "N", None) is None
    assert valid_sender(None, "N", None) is None
