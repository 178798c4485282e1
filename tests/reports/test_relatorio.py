"""relatorio.html over nights that the real ledger recorded."""

from datetime import date
from html.parser import HTMLParser

import pytest

from data.loader import load_norms
from data.tables import register_norms
from reports.relatorio import write_report
from reports.relatorio_dados import RunNotFound, mask_value
from reports.resumo import Etapa, Resumo
from tests.ledger.base import Row, new_warehouse, night, run, set_night

HOSTILE = '<script>alert(\'x\')</script>" onload="y()" & <b>Zé</b>'
TITLES = {"alvara_vencido": "Alvará dentro da validade"}
VOID = {"meta", "br", "wbr", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """The page as a reader sees it: tags balanced, tables as lists of rows, alerts as texts."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.tables, self.alerts, self.caption = {}, [], ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "caption":
            self.caption = ""
        elif tag == "tr":
            self.tables[self.caption].append([])
        elif tag in ("td", "th"):
            self.tables[self.caption][-1].append("")
        elif dict(attrs).get("role") == "alert":
            self.alerts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "caption":
            self.tables[self.caption] = []

    def handle_data(self, data):
        if "style" in self.open:
            return
        data = " ".join(data.split()) and " ".join(data.split()) + " "
        self.text += data
        if "caption" in self.open:
            self.caption += data.strip()
        elif "td" in self.open or "th" in self.open:
            self.tables[self.caption][-1][-1] += data
        elif self.alerts and "p" in self.open and "main" in self.open and "section" not in self.open:
            self.alerts[-1] += data

    def rows(self, caption):
        """Rows of the table whose caption starts so, cells stripped."""
        found = next(t for c, t in self.tables.items() if c.startswith(caption))
        return [[cell.strip() for cell in row] for row in found]


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()


def load(con, extrato, situacao="aceito", arquivo=None, **more):
    row = {"extrato": extrato, "arquivo": arquivo or f"{extrato}.csv", "situacao": situacao} | {
        "lidas": 1234, "carregadas": 1200, "rejeitadas": 30, "duplicadas": 3, "ignoradas": 1, "avisos": 2
    } | more  # fmt: skip
    names = ", ".join(row)
    con.execute(f"insert into extrato.cargas ({names}) values ({', '.join('$' + n for n in row)})", row)


def gate(con, extrato, descricao, sucesso, severidade="aviso", detalhe=""):
    con.execute(
        "insert into resultado.gate values (?, ?, ?, ?, ?, 1, '3 linhas', 'nenhuma', ?)",
        [extrato, descricao, descricao, severidade, sucesso, detalhe],
    )


def page(con, tmp_path, run_id="r2", **more):
    path = write_report(con, run_id, tmp_path / "out", titulos=TITLES, **more)
    assert path == tmp_path / "out" / "relatorio.html"
    assert [p.name for p in path.parent.iterdir()] == ["relatorio.html"]
    html = path.read_text(encoding="utf-8")
    return Page(html), html


def two_nights(con):
    night(con, 1, [Row("A1"), Row("A2"), Row("A3")])
    night(
        con,
        2,
        [
            Row("A1"),
            Row("A4", "a_vencer"),
            Row("A5", "nao_avaliado", evidencia='{"falta":["prazo_permissao","alvaras.valido_ate"]}'),
            Row("A6", "nao_avaliado", evidencia='{"falta":["prazo_permissao"]}'),
        ],
        extract=("A1", "A2", "A4", "A5", "A6"),
    )


def test_counts_per_check_and_norm_agree_with_the_ledger(con, tmp_path):
    two_nights(con)
    seen, _ = page(con, tmp_path)
    head, check, norm, total = seen.rows("Achados por verificação e norma")
    assert head[1:9] == [
        "Violações", "A vencer", "Para decisão", "Não avaliados", "Dispensados", "Novos", "Reabertos", "Encerrados"
    ]  # fmt: skip
    assert "Alvará dentro da validade" in check[0]
    counts = ["1", "1", "0", "2", "0", "3", "0", "2"]
    assert norm[:9] == ["408/2009", *counts]
    assert check[1:9] == total[1:9] == counts


def test_new_violations_are_those_that_were_none_the_night_before(con, tmp_path):
    night(con, 1, [Row("A1"), Row("A2", "a_vencer")])
    night(con, 2, [Row("A1"), Row("A2"), *(Row(f"B{i:02}") for i in range(21)), Row("A3", "a_vencer")])
    seen, html = page(con, tmp_path)
    rows = seen.rows("As primeiras 20 de 22")[1:]
    assert len(rows) == 20
    assert not any("A1" in cell or "A3" in cell for row in rows for cell in row)
    assert rows[0][2:] == ["P1", "10/01/2026", "multa"]
    assert rows[0][0].startswith("Alvará dentro da validade")
    assert html.index("Violações novas") < html.index("Achados por verificação e norma") < html.index("Tempo de cada")
    night(con, 3, [Row("A1"), Row("A2")])
    _, html = page(con, tmp_path, "r3")
    assert "Nenhuma violação nova nesta noite." in html


def test_checks_that_found_nothing_are_counted_not_shown(con, tmp_path):
    night(con, 1, [Row("A1")])
    con.execute("insert into resultado.verificacoes by name select 'muda' as verificacao, '408/2009' as norma")
    seen, html = page(con, tmp_path, "r1")
    assert not any("muda" in row[0] for row in seen.rows("Achados por verificação e norma"))
    assert "1 verificação não achou nada e não aparece" in html
    assert any("muda" in row[0] for row in seen.rows("Tempo de cada verificação"))


def test_what_was_missing_and_why_findings_closed(con, tmp_path):
    two_nights(con)
    seen, _ = page(con, tmp_path)
    missing = seen.rows("O que faltou")[1:]
    assert [(r[0].replace(" ", ""), r[3]) for r in missing] == [("prazo_permissao", "2"), ("alvaras.valido_ate", "1")]
    head, closed = seen.rows("Achados que estavam abertos")
    assert dict(zip(head[1:], closed[1:], strict=True)) == {
        "Regularizado": "1",
        "Dispensado": "0",
        "Ausente do extrato": "1",
        "Não avaliável hoje": "0",
        "Norma alterada": "0",
    }


def test_stale_and_refused_extracts_are_at_the_top_with_date_and_reason(con, tmp_path):
    load(con, "autos", "recusado", motivo="encolheu 40 %")
    load(con, "autos", "defasado", "autos.csv (carga de 30/01/2026)", origem_as_of=date(2026, 1, 30))
    load(con, "veiculos")
    load(con, "taxas", "ausente")
    set_night(con, [])
    from sql.ledger import record_run

    record_run(con, run("r2", date(2026, 2, 2), code=3))
    resumo = Resumo(date(2026, 2, 2), "x", "w", "r2", 3, avisos=["autos.csv recusado: encolheu 40 %", "outra coisa"])
    seen, html = page(con, tmp_path, resumo=resumo)
    stale, refused = seen.alerts
    assert "autos" in stale and "30/01/2026" in stale
    assert "encolheu 40 %" in refused
    assert "Concluída com extrato recusado ou defasado" in seen.text
    assert html.index('role="alert"') < html.index("A noite em números")
    files = seen.rows("Linhas por arquivo")[1:]
    names = [r[0].replace(" ", "") for r in files]  # the page lets a name wrap after its dots
    assert names == ["autos.csv", "autos.csv(cargade30/01/2026)", "veiculos.csv"]
    assert files[2][1:7] == ["1.234", "1.200", "30", "3", "1", "2"]
    assert "não vieram: taxas" in seen.text
    assert "outra coisa" in seen.text and "autos.csv recusado" not in seen.text


def test_counts_that_do_not_balance_are_said(con, tmp_path):
    load(con, "autos", lidas=1235)
    load(con, "veiculos")
    two_nights(con)
    seen, _ = page(con, tmp_path)
    bad, good = seen.rows("Linhas por arquivo")[1:]
    assert "as contas não fecham" in bad[7]
    assert good[7] == "aceito"


def test_the_gates_failures_come_first_broken_and_critical_before_warnings(con, tmp_path):
    gate(con, "alvaras", "passou", True)
    gate(con, "autos", "um aviso", False, detalhe="autos.csv: linha 7")
    gate(con, "veiculos", "uma crítica", False, "critica")
    gate(con, "taxas", "uma quebrada", None)
    two_nights(con)
    seen, _ = page(con, tmp_path)
    pending = [r[0] for r in seen.rows("O que não se confirmou")[1:]]
    assert [p.split()[0] for p in pending] == ["quebrou", "crítica", "aviso"]
    assert "linha 7" in pending[2]
    assert len(seen.rows("Expectativas confirmadas")) == 2


def test_rejects_show_the_first_of_each_file_and_the_total(con, tmp_path):
    con.execute(
        "insert into extrato.rejeitos select 'autos', 'autos.csv', i + 2, 'codigo', 'v' || i, 'm', 'rejeitado'"
        " from range(1234) t(i)"
    )
    con.execute("insert into extrato.rejeitos values ('taxas', 'taxas.csv', 9, 'valor', 'x', 'm', 'aviso')")
    con.execute("insert into extrato.rejeitos values ('linhas', 'l.csv', null, null, null, 'm', 'recusado')")
    two_nights(con)
    seen, _ = page(con, tmp_path, rejeitos_por_arquivo=5)
    lines = seen.rows("autos.csv: os primeiros 5 de 1.234")[1:]
    assert [r[0] for r in lines] == ["2", "3", "4", "5", "6"]
    assert "autos.csv: 1.234 rejeitadas, 0 avisos" in seen.text
    assert "taxas.csv: 0 rejeitadas, 1 aviso" in seen.text
    assert "l.csv" not in seen.text


def test_no_cpf_is_shown_whole(con, tmp_path):
    cpf = "529.982.247-25"
    con.execute(
        "insert into extrato.rejeitos values ('autos', 'a.csv', 2, 'permissionario_id', $c, 'CPF ' || $c, 'aviso'),"
        " ('permissionarios', 'p.csv', 2, 'documento', '5299822472', 'faltam dígitos', 'rejeitado')",
        {"c": cpf},
    )
    two_nights(con)
    _, html = page(con, tmp_path)
    assert html.count("***.982.247-**") == 2
    for whole in (cpf, "52998224725", "5299822472"):
        assert whole not in html


@pytest.mark.parametrize(
    ("coluna", "valor", "shown"),
    [
        ("documento", "529.982.247-2", "***.982.24*-*"),
        ("documento", "5299822472", "***98224**"),
        ("documento", "11222333000181", "11222333000181"),
        ("proprietario_documento", "123", "***"),
        ("codigo", "AnII-06", "AnII-06"),
        ("auto_id", "1.12E+13", "1.12E+13"),
        ("nome", "x" * 100, "x" * 59 + "…"),
        ("nome", None, ""),
        ("local", "a\n  b", "a b"),
    ],
)
def test_values_are_masked_and_cut(coluna, valor, shown):
    assert mask_value(coluna, valor) == shown


def test_hostile_text_stays_text(con, tmp_path):
    load(con, "autos", "recusado", HOSTILE, motivo=HOSTILE, colunas_desconhecidas=[HOSTILE])
    gate(con, "autos", HOSTILE, False, detalhe=HOSTILE)
    con.execute("insert into extrato.rejeitos values ('autos', $h, 2, $h, $h, $h, 'rejeitado')", {"h": HOSTILE})
    night(con, 1, [Row("A1", norma=HOSTILE), Row("A2", "nao_avaliado", evidencia='{"falta":["<i>x</i>"]}')])
    con.execute("update resultado.verificacoes set erro = $h", {"h": HOSTILE})
    resumo = Resumo(date(2026, 2, 1), HOSTILE, HOSTILE, "r1", 1, erros=[HOSTILE], avisos=[HOSTILE], saidas=[HOSTILE])
    resumo.etapas = [Etapa("x", HOSTILE, 1.0, 1, 1.0, "falhou", HOSTILE)]
    seen, _ = page(con, tmp_path, "r1", resumo=resumo)
    assert not {"script", "b", "i", "img"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert seen.text.count("<script>alert('x')</script>") >= 10


def test_the_page_needs_nothing_from_outside(con, tmp_path):
    two_nights(con)
    seen, html = page(con, tmp_path)
    assert not {"script", "link", "img", "iframe"} & set(seen.tags)
    assert {name for name, value in seen.attributes if name in ("src", "href") and not value.startswith("#")} == set()
    for outside in ("http:", "https:", "url(", "@import"):
        assert outside not in html
    assert '<html lang="pt-BR">' in html
    assert all(caption for caption in seen.tables)


def test_a_crashed_check_is_told_once_with_its_error(con, tmp_path):
    night(con, 2, [], crashed=[("multa_vencida", "408/2009")])
    con.execute("update resultado.verificacoes set erro = 'coluna tal não existe'")
    resumo = Resumo(date(2026, 2, 2), "x", "w", "r2", 1, erros=["a verificação multa_vencida falhou: veja"])
    seen, _ = page(con, tmp_path, resumo=resumo)
    (alert,) = seen.alerts
    assert "multa_vencida" in alert and "coluna tal não existe" in alert
    assert "Falhou" in seen.text


def test_norms_readings_and_overrides_in_force(con, tmp_path):
    night(con, 2, [])
    register_norms(con, load_norms(), date(2026, 2, 2))
    con.execute(
        "insert into norma.ajustes by name select '825/2021' as norma, 'alvara_vencido' as verificacao,"
        " 'aviso_dias' as parametro, '45' as valor, date '2026-01-02' as vigente_de, 'Decreto 9/2026' as ato,"
        " 'pedido da secretaria' as motivo"
    )
    seen, html = page(con, tmp_path)
    assert len(seen.rows("Normas em vigor em 02/02/2026")) == 6
    hashes = [h for (h,) in con.execute("select hash from norma.normas").fetchall()]
    assert all(h in html for h in hashes)
    (override,) = seen.rows("Valores do município")[1:]
    assert override[2:] == ["45", "de 02/01/2026", "Decreto 9/2026 pedido da secretaria"]
    readings = con.execute("select count(*) from norma.leituras").fetchall()[0][0]
    assert len(seen.rows("Leituras adotadas")) == readings + 1 > 10


def test_an_earlier_run_is_told_without_the_texts_of_another(con, tmp_path):
    two_nights(con)
    register_norms(con, load_norms(), date(2026, 2, 2))
    seen, _ = page(con, tmp_path, "r1")
    assert "última execução, que não é esta" in seen.text
    assert seen.rows("Achados por verificação e norma")[2][1] == "3"


def test_an_unknown_run_is_an_error_and_leaves_nothing(con, tmp_path):
    with pytest.raises(RunNotFound):
        write_report(con, "nada", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_same_run_gives_the_same_page_and_replaces_it(con, tmp_path):
    two_nights(con)
    _, first = page(con, tmp_path)
    _, second = page(con, tmp_path)
    assert first == second


@pytest.mark.browser
def test_on_a_telephone_nothing_spills_over_and_nothing_is_asked_of_the_network(con, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    load(con, "autos", "recusado", "x" * 120 + ".csv", motivo="y" * 200)
    gate(con, "autos", "z" * 150, False, detalhe="w" * 300)
    gate(con, "autos", "passou", True)
    two_nights(con)
    path = write_report(con, "r2", tmp_path / "out", titulos=TITLES)
    with playwright.sync_playwright() as p:
        try:
            browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no browser: {error}")
        asked: list[str] = []
        tab = browser.new_page(viewport={"width": 360, "height": 800})
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(path.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        assert tab.evaluate("[...document.querySelectorAll('.alerta')].every(e => e.scrollWidth <= e.clientWidth)")
        tab.emulate_media(media="print")
        tab.set_viewport_size({"width": 680, "height": 1000})  # A4 inside its margins
        assert tab.evaluate("document.documentElement.scrollWidth") <= 680
        closed = "[...document.querySelectorAll('details:not([open])')].every(d => d.offsetHeight > 60)"
        assert tab.evaluate(closed), "what is folded on screen must be read on paper"
        assert asked == [path.as_uri()]
        browser.close()
