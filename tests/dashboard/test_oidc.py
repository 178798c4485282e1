"""Login at a real provider: who gets in, as what, and what doesn't get in."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from dashboard.app import build_app
from dashboard.config import Painel, PainelSettings
from tests.dashboard.provider import Provider, serve

SECRET = "s" * 40


@pytest.fixture(scope="module")
def provider():
    it = Provider()
    with serve(it.app()) as url:
        it.url = url
        yield it


@pytest.fixture
def site(provider, published):
    provider.claims, provider.spoil, provider.signing = {"sub": "maria", "groups": ["chefes"]}, {}, provider.key
    settings = PainelSettings(
        login="oidc", oidc_emissor=provider.url, oidc_cliente="emdia", url_publica="http://127.0.0.1",
        grupos_gestao=("chefes",), grupos_publico=("leitores",),
    )  # fmt: skip
    clock = {"now": datetime(2026, 3, 9, 8, tzinfo=UTC)}
    panel = Painel(published, settings, lambda: clock["now"], "Município", SECRET, "k" * 40)
    page = TestClient(
        build_app(panel), base_url="http://127.0.0.1", raise_server_exceptions=False, follow_redirects=False
    )
    page.clock = clock
    return page


def log_in(site, path="/lista/multas?norma=825%2F2021"):
    """From a page to the provider and back; the answer of the return address."""
    sent = site.get(path)
    assert sent.status_code == 303 and sent.headers["location"].startswith("/entrar?depois=")
    away = site.get(sent.headers["location"]).headers["location"]
    asked = parse_qs(urlsplit(away).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["nonce"] and asked["state"]
    back = httpx.get(away, follow_redirects=False).headers["location"]
    return site.get(back)


def test_management_logs_in_and_out(site):
    answer = log_in(site)
    assert answer.status_code == 303 and answer.headers["location"] == "/lista/multas?norma=825%2F2021"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    page = site.get("/")
    assert page.status_code == 200 and "As mais antigas" in page.text and "Sair" in page.text
    assert "maria" not in page.text
    assert site.post("/sair").status_code == 303
    assert site.get("/").status_code == 303


def test_roles_come_from_the_groups(site, provider):
    provider.claims = {"sub": "joao", "groups": "leitores outros"}
    log_in(site)
    assert "As mais antigas" not in site.get("/").text and site.get("/").status_code == 200
    assert site.get("/lista/todos/planilha.csv").status_code == 403


def test_no_group_no_entry(site, provider):
    provider.claims = {"sub": "jose", "groups": ["outros"]}
    assert log_in(site).status_code == 403
    assert site.get("/").status_code == 303


def test_the_session_ends(site):
    log_in(site)
    assert site.get("/").status_code == 200
    site.clock["now"] = datetime(2026, 3, 9, 16, 1, tzinfo=UTC)
    assert site.get("/").status_code == 303


@pytest.mark.parametrize(
    "spoil",
    [
        {"aud": "outro"},
        {"iss": "https://mau.example"},
        {"nonce": "repetido"},
        {"exp": int(time.time()) - 3600, "iat": int(time.time()) - 7200},
    ],
)
def test_a_token_meant_for_others_is_refused(site, provider, spoil):
    provider.spoil = spoil
    answer = log_in(site)
    assert answer.status_code == 401, answer.text
    assert site.get("/").status_code == 303


def test_a_token_signed_by_others_is_refused(site, provider):
    provider.signing = RSAKey.generate_key(2048, {"kid": "k1"})
    assert log_in(site).status_code == 401
    assert site.get("/").status_code == 303


def test_a_return_nobody_asked_for_is_refused(site):
    assert site.get("/retorno?code=c9&state=inventado").status_code == 401
    assert site.get("/", headers={"cookie": "emdia_sessao=e30.x.y"}).status_code == 303
    assert site.get("/versao").status_code == 401


def test_a_provider_that_is_away_is_told_in_words(published):
    settings = PainelSettings(
        login="oidc", oidc_emissor="http://127.0.0.1:9", oidc_cliente="emdia", url_publica="http://127.0.0.1",
        grupos_gestao=("chefes",),
    )  # fmt: skip
    panel = Painel(published, settings, lambda: datetime(2026, 3, 9, 8, tzinfo=UTC), "", SECRET, "k" * 40)
    page = TestClient(build_app(panel), base_url="http://127.0.0.1", raise_server_exceptions=False)
    answer = page.get("/")
    assert answer.status_code == 502 and "não respondeu" in answer.text
