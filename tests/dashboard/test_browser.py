"""A person in front of a real browser: look, filter, drill down, take the spreadsheet, see a new night arrive."""

from __future__ import annotations

import csv
import re
import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from dashboard.app import build_app
from dashboard.config import Painel, PainelSettings
from tests.dashboard.base import HOSTILE
from tests.dashboard.provider import serve

pytestmark = pytest.mark.browser
CHROMIUM = next((p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None)
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@pytest.fixture(scope="module")
def chromium():
    if CHROMIUM is None:
        pytest.skip("não há chromium nesta máquina (apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="falta o playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(nights, tmp_path_factory):
    """Where the served copy lies; it begins with the first night."""
    place = tmp_path_factory.mktemp("servida")
    shutil.copy(nights.parent / "primeira.duckdb", place / "m.publicado.duckdb")
    return place


@pytest.fixture(scope="module")
def site(folder):
    clock = lambda: datetime(2026, 3, 9, 8, tzinfo=ZoneInfo("America/Bahia"))  # noqa: E731
    panel = Painel(folder / "m.publicado.duckdb", PainelSettings(aviso_segundos=1), clock, "Município de teste")
    with serve(build_app(panel)) as url:
        yield url


@pytest.fixture
def tab(chromium):
    """A tab that fails the test on any error of the page or request to elsewhere."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    wrong = []
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("request", lambda r: wrong.append(r.url) if not r.url.startswith("http://127.0.0.1:") else None)
    yield page
    page.close()
    assert wrong == []


def number(text):
    return int(re.sub(r"\D", "", text))


def new_night(folder, published):
    shutil.copy(published, folder / "nova")
    (folder / "nova").replace(folder / "m.publicado.duckdb")


def test_a_new_night_arrives_while_the_page_is_open(tab, site, folder, published):
    tab.goto(site)
    assert "02/03/2026" in tab.inner_text(".asof")
    assert "Estes dados não são de hoje" in tab.inner_text(".faixa.velho")
    assert not tab.is_visible("#novidade")
    before = tab.inner_text("#total-cassacoes")
    new_night(folder, published)
    tab.wait_for_selector("#novidade:not([hidden])", timeout=10_000)
    assert tab.inner_text("#total-cassacoes") == before  # nothing changes under the reader
    tab.click("#novidade a")
    tab.wait_for_function("document.querySelector('.asof').innerText.includes('09/03/2026')")
    assert tab.locator(".faixa.velho").count() == 0
    assert not tab.is_visible("#novidade")


def test_from_the_morning_to_the_oldest_case_and_why(tab, site, truth):
    tab.goto(site)
    expected = truth.execute(
        "select count(*) from achados where consequencia = 'cassacao' and situacao in ('violacao', 'para_decisao')"
    ).fetchall()[0][0]
    assert number(tab.inner_text("#total-cassacoes")) == expected
    tab.click("#antigas tbody tr:first-child a")
    assert "Cassação" in tab.inner_text(".frase")
    assert tab.is_visible("text=A norma e a leitura") and tab.is_visible("text=A história inteira")
    assert "há 7 dias" in tab.inner_text(".ficha >> nth=0")


def test_each_bar_leads_to_its_rows(tab, site):
    tab.goto(f"{site}/lista/cassacoes")
    charts = tab.locator(".grade .grafico").count()
    assert charts == 7
    for i in range(charts):
        tab.goto(f"{site}/lista/cassacoes")
        bar = tab.locator(".grade .grafico").nth(i).locator("tr[data-faceta]").last
        told = number(bar.locator(".num").inner_text())
        bar.locator("a").click()
        assert number(tab.inner_text("#total")) == told
        assert tab.locator("#tabela tbody tr").count() == told


def test_filter_search_sort_and_a_link_that_keeps_them(tab, site, truth):
    tab.goto(f"{site}/lista/todos")
    tab.select_option("#f-norma", "825/2021")
    tab.wait_for_url("**norma=825**")
    assert tab.url.endswith("/lista/todos?norma=825%2F2021")
    tab.fill("#q", "permissionario 00")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**q=permissionario**")
    count = truth.execute(
        "select count(*) from achados a join permissionarios p using (permissionario_id)"
        " where a.norma = '825/2021' and p.nome like 'Permissionário 00%'"
    ).fetchall()[0][0]
    assert number(tab.inner_text("#total")) == count
    tab.click("#tabela thead >> text=Valor (R$)")
    tab.click("#tabela thead >> text=Valor (R$)")
    assert tab.get_attribute("#tabela th[aria-sort]", "aria-sort") == "descending"
    address = tab.url
    first = tab.inner_text("#tabela tbody tr:first-child")
    tab.goto(site)
    tab.goto(address)
    assert tab.inner_text("#tabela tbody tr:first-child") == first
    tab.click("text=limpar tudo")
    assert number(tab.inner_text("#total")) == truth.execute("select count(*) from achados").fetchall()[0][0]


def test_the_spreadsheet_of_what_is_on_the_page(tab, site, truth, tmp_path):
    tab.goto(f"{site}/lista/multas?norma=825%2F2021")
    with tab.expect_download() as taken:
        tab.click("text=.csv")
    taken.value.save_as(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8-sig", newline="") as file:
        told = {r["achado_id"]: r["valor"] for r in csv.DictReader(file, delimiter=";")}
    expected = truth.execute(
        "select achado_id, valor::varchar from achados where verificacao = 'multa_vencida' and norma = '825/2021'"
        " and situacao = 'violacao'"
    ).fetchall()
    assert told == dict(expected) and len(told) == number(tab.inner_text("#total"))
    with tab.expect_download() as taken:
        tab.click("text=planilha .xlsx")
    assert taken.value.suggested_filename == "emdia-multas.xlsx"


def test_hostile_names_are_only_names(tab, site, truth):
    for i, name in enumerate(HOSTILE):
        found = truth.execute(
            "select achado_id from achados where permissionario_id = $p limit 1", {"p": f"P{i:03d}"}
        ).fetchall()
        for width in (1280, 390) if i == 3 else (390,):
            tab.set_viewport_size({"width": width, "height": 900})
            for path in (f"/caso/{found[0][0]}", f"/lista/todos?permissionario=P{i:03d}"):
                tab.goto(f"{site}{path}")
                assert "emdia" in tab.title()
                assert tab.evaluate("document.documentElement.scrollWidth") <= width, (name[:20], width, path)
                shown = tab.locator("h1 bdi, #tabela th bdi").first.inner_text()
                assert shown == name


@pytest.mark.parametrize("path", ["/", "/lista/cassacoes", "/lista/todos", "/cobertura", "/fontes", "/avisos", "caso"])
def test_on_a_telephone_nothing_falls_off(tab, site, truth, path):
    if path == "caso":
        achado = truth.execute("select min(achado_id) from achados where verificacao = 'pontos_cassacao'").fetchall()
        path = f"/caso/{achado[0][0]}"
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto(f"{site}{path}")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    small = tab.evaluate(
        "[...document.querySelectorAll('main a, main td, main th, main p')].filter(e => e.innerText"
        " && parseFloat(getComputedStyle(e).fontSize) < 12).length"
    )
    assert small == 0


CONTRAST = """
() => {
  const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
  const lum = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const back = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > .99) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && !e.closest('svg') && e.getClientRects().length)
    .map((e) => { const a = lum(rgb(getComputedStyle(e).color)), b = lum(back(e)); return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.tagName, e.className, e.textContent.trim().slice(0, 30)]; })
    .filter((x) => x[0] < 4.5);
}
"""


@pytest.mark.parametrize("path", ["/", "/lista/cassacoes?norma=825%2F2021", "/fontes"])
def test_readable_labelled_and_reachable_by_keyboard(tab, site, path):
    tab.goto(f"{site}{path}")
    assert tab.evaluate(CONTRAST) == []
    assert tab.evaluate("[...document.querySelectorAll('table')].filter(t => !t.caption).length") == 0
    assert (
        tab.evaluate(
            "[...document.querySelectorAll('select, input:not([type=hidden])')].filter(e => !e.labels.length).length"
        )
        == 0
    )
    assert (
        tab.evaluate("document.querySelectorAll('h1').length") == 1
        and tab.evaluate("document.documentElement.lang") == "pt-BR"
    )
    unnamed = "[...document.querySelectorAll('a, button')].filter(e => !e.innerText.trim() && !e.getAttribute('aria-label') && e.getClientRects().length).length"
    assert tab.evaluate(unnamed) == 0
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.innerText") == "Pular para o conteúdo"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "conteudo"
    tab.keyboard.press("Tab")
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_on_paper_only_what_is_said(tab, site):
    tab.goto(f"{site}/lista/cassacoes")
    tab.emulate_media(media="print")
    for hidden in (".topo nav", ".filtros", ".exporta"):
        assert not tab.is_visible(hidden)
    assert tab.is_visible("#tabela") and tab.is_visible(".asof")


def test_without_scripts_everything_still_works(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/lista/cassacoes")
    page.select_option("#f-norma", "825/2021")
    page.click("text=Filtrar >> nth=-1")
    assert "norma=825" in page.url
    context.close()


def test_a_page_without_copy_comes_back_by_itself(chromium, folder, published):
    path = folder / "outra.publicado.duckdb"
    clock = lambda: datetime(2026, 3, 9, 8, tzinfo=ZoneInfo("America/Bahia"))  # noqa: E731
    with serve(build_app(Painel(path, PainelSettings(aviso_segundos=1), clock))) as url:
        page = chromium.new_page()  # not `tab`: the browser itself reports the 503 as an error
        page.goto(url)
        assert "Ainda não há cópia publicada" in page.inner_text("h1")
        shutil.copy(published, folder / "nova")
        (folder / "nova").replace(path)
        page.wait_for_selector("#total-cassacoes", timeout=10_000)
        page.close()
