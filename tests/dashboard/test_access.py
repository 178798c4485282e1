"""Who gets in, what each sees, and what every answer carries."""

from __future__ import annotations

import html
import logging
import re

import pytest

from dashboard.acesso import Porteiro
from dashboard.app import build_app
from dashboard.config import ConfigError, Painel, PainelSettings
from dashboard.mascara import hide_cpfs
from dashboard.oidc import inside
from dashboard.recortes import RECORTES
from tests.dashboard.base import client

SECRET = "s" * 40
PROXY = {"login": "proxy", "grupos_gestao": ("chefes",), "grupos_publico": ("leitores",)}
OIDC = {
    "login": "oidc",
    "oidc_emissor": "https://id.example.br",
    "oidc_cliente": "emdia",
    "url_publica": "https://painel.example.br",
    "grupos_gestao": ("chefes",),
}
PAGES = ("/", "/cobertura", "/fontes", "/avisos", *(f"/lista/{r}" for r in RECORTES))


def headers(groups="chefes", secret=SECRET, user="maria@prefeitura"):
    return {"X-Emdia-Segredo": secret, "X-Forwarded-User": user, "X-Forwarded-Groups": groups}


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.5", "::", "painel.example.br"])
def test_off_loopback_it_needs_a_login(published, host):
    with pytest.raises(ConfigError, match="sem login"):
        client(published, host=host)
    assert client(published, host=host, secret=SECRET, **PROXY).get("/", headers=headers()).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_on_loopback_it_does_not(published, host):
    assert client(published, host=host).get("/").status_code == 200


@pytest.mark.parametrize(
    ("changes", "secret", "words"),
    [
        (PROXY, "", "EMDIA_PAINEL_SEGREDO"),
        (PROXY, "s" * 31, "32 caracteres"),
        ({**PROXY, "grupos_gestao": (), "grupos_publico": ()}, SECRET, "grupos"),
        ({**OIDC, "oidc_emissor": ""}, SECRET, "oidc_emissor"),
        ({**OIDC, "oidc_emissor": "http://id.example.br"}, SECRET, "https"),
        ({**OIDC, "url_publica": "http://painel.example.br"}, SECRET, "https"),
        ({"url_publica": "https://painel.example.br"}, "", "login"),
    ],
)
def test_half_a_login_is_no_login(published, changes, secret, words):
    with pytest.raises(ConfigError, match=words):
        client(published, secret=secret, **changes)


@pytest.mark.parametrize("host", ["mau.example", "127.0.0.1.mau.example", "", "[::2]"])
def test_a_foreign_name_pointing_here_gets_nothing(published, host):
    answer = client(published).get("/", headers={"host": host})
    assert answer.status_code == 403 and "cassações" not in answer.text.replace("Cassações", "")


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host"])
def test_a_proxy_in_front_without_login_is_refused(published, name):
    assert client(published).get("/", headers={name: "10.1.1.1"}).status_code == 403


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 401),
        ({"X-Forwarded-User": "maria", "X-Forwarded-Groups": "chefes"}, 401),
        (headers(secret="x" * 40), 403),
        (headers(secret=SECRET[:-1]), 403),
        (headers(groups="outros"), 403),
        (headers(groups=""), 403),
        (headers(user=" "), 401),
        (headers(), 200),
        (headers(groups="outros, chefes"), 200),
        (headers(groups="leitores"), 200),
    ],
)
def test_proxy(published, sent, status):
    page = client(published, secret=SECRET, **PROXY)
    for path in ("/", "/versao"):
        answer = page.get(path, headers=sent)
        assert answer.status_code == status
    assert SECRET not in answer.text


def test_without_login_nothing_but_its_looks_is_served(published):
    page = client(published, secret=SECRET, **PROXY)
    for path in (*PAGES, "/caso/x", "/versao", "/lista/todos/planilha.csv", "/lista/todos/planilha.xlsx"):
        assert page.get(path).status_code == 401, path
    assert page.get("/estatico/painel.css").status_code == 200
    assert page.get("/estatico/../app.py").status_code in (401, 404)
    assert page.get("/estatico/%2e%2e/app.py").status_code in (401, 404)


def test_the_public_sees_figures_and_nobody(published, truth):
    page = client(published, papel_local="publico")
    people = truth.execute("select permissionario_id, nome, documento from permissionarios").fetchall()
    singled = [w for row in people for w in row if w]
    singled += [i for (i,) in truth.execute("select achado_id from achados").fetchall()]
    for path in PAGES:
        text = html.unescape(page.get(path).text)
        assert [w for w in singled if re.search(rf"(?<![\w]){re.escape(w)}(?![\w])", text)] == [], path
    assert re.search(r'id="total-cassacoes">[1-9]', page.get("/").text)
    one = truth.execute("select achado_id from achados limit 1").fetchall()[0][0]
    for path in (f"/caso/{one}", "/lista/todos/planilha.csv", "/lista/todos/planilha.xlsx"):
        assert page.get(path).status_code == 403
    whole = page.get("/lista/todos").text
    for asked in ({"q": "Permissionário 010"}, {"permissionario": "P002"}, {"q": one}):
        got = page.get("/lista/todos", params=asked).text
        count = r'id="total">(\d+)<'
        assert re.search(count, got)[1] == re.search(count, whole)[1]


def test_open_to_the_public_when_told_so(published):
    page = client(published, secret=SECRET, publico_aberto=True, **PROXY)
    assert "As mais antigas" not in page.get("/").text
    assert page.get("/").status_code == 200 and page.get("/lista/todos/planilha.csv").status_code == 403
    assert "As mais antigas" in page.get("/", headers=headers()).text


def test_headers_on_every_answer(published):
    page = client(published)
    for path in ("/", "/versao", "/nada", "/lista/x", "/estatico/painel.js", "/lista/todos/planilha.csv"):
        got = page.get(path).headers
        policy = got["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert got["x-content-type-options"] == "nosniff" and got["referrer-policy"] == "no-referrer"
        assert got["x-frame-options"] == "DENY" and got["cache-control"]
    assert page.get("/").headers["cache-control"] == "no-store"
    assert page.post("/").status_code == 405


def test_no_page_needs_what_the_policy_forbids(published, truth):
    page = client(published)
    case = truth.execute("select achado_id from achados where verificacao = 'pontos_cassacao' limit 1").fetchall()[0][0]
    for path in (*PAGES, f"/caso/{case}"):
        text = page.get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=)|javascript:", text), path
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text), path


def test_the_log_names_pages_and_nobody(published, caplog):
    page = client(published, secret=SECRET, **PROXY)
    with caplog.at_level(logging.INFO, "emdia.painel.acesso"):
        page.get("/lista/cassacoes", params={"q": "Fulano de Tal"}, headers=headers())
        page.get("/caso/pontos_cassacao-00", headers=headers())
    lines = [r.getMessage() for r in caplog.records if r.name == "emdia.painel.acesso"]
    assert re.fullmatch(r"GET lista/cassacoes 200 \d+ ms papel=gestao quem=[0-9a-f]{8}", lines[0])
    assert lines[1].startswith("GET um_caso 404 ")
    assert not re.search("Fulano|maria|pontos_cassacao-00|s{20}", " ".join(lines))


def test_the_mark_of_a_person_holds_and_hides(published):
    def porteiro(key):
        return Porteiro(Painel(published, PainelSettings(), lambda: None, chave=key))

    assert porteiro("k").mark("maria") == porteiro("k").mark("maria") != porteiro("k").mark("joao")
    assert porteiro("k").mark("maria") != porteiro("outra").mark("maria")


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("/lista/todos?norma=1", "/lista/todos?norma=1"),
        ("//mau.example", "/"),
        ("https://mau.example/", "/"),
        ("/\\mau.example", "/"),
        ("mau", "/"),
        ("/a\nb", "/"),
    ],
)
def test_after_login_one_stays_here(target, kept):
    assert inside(target) == kept


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("CPF 529.982.247-25.", "CPF ***.982.247-**."),
        ("52998224725", "***.982.247-**"),
        ("auto 12345678901", "auto 12345678901"),
        ("111.111.111-11", "***.111.111-**"),
        ("11222333000181", "11222333000181"),
        ("A52998224725", "A52998224725"),
        ("", ""),
    ],
)
def test_cpfs_and_only_cpfs_are_hidden(text, hidden):
    assert hide_cpfs(text) == hidden


def test_a_crash_tells_nothing(published, monkeypatch):
    from dashboard import noite

    monkeypatch.setattr(noite, "gate", lambda reading: 1 / 0)
    answer = client(published).get("/fontes")
    assert answer.status_code == 500 and "Algo falhou aqui" in answer.text and "ZeroDivision" not in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_build_app_checks_first(published):
    with pytest.raises(ConfigError):
        build_app(Painel(published, PainelSettings(host="0.0.0.0"), lambda: None))
