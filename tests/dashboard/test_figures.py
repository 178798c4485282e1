"""Every number on the pages, recounted by hand over the rows of achados."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from datetime import date

import duckdb
import pytest

from checks.law.catalogue import load_catalogue
from dashboard.filtros import read_filter
from dashboard.graficos import missing_words
from dashboard.recortes import RECORTES
from reports.rotulos import word
from tests.dashboard.base import AS_OF, NIGHTS, client

OPEN = ("violacao", "para_decisao")
#: The lists, said again in Python.
LISTS = {
    "cassacoes": lambda r: r["consequencia"] == "cassacao" and r["situacao"] in OPEN,
    "previstas": lambda r: r["consequencia"] == "cassacao" and r["situacao"] == "a_vencer",
    "a_vencer": lambda r: r["situacao"] == "a_vencer" and r["devido_em"] >= AS_OF,
    "suspensoes": lambda r: r["consequencia"] in ("suspensao", "suspensao_matricula") and r["situacao"] in OPEN,
    "alvaras": lambda r: r["verificacao"] == "alvara_vencido" and r["situacao"] in OPEN,
    "multas": lambda r: r["verificacao"] == "multa_vencida" and r["situacao"] in OPEN,
    "frota": lambda r: r["verificacao"] == "veiculo_acima_da_idade" and r["situacao"] in OPEN,
    "nao_avaliados": lambda r: r["situacao"] == "nao_avaliado",
    "todos": lambda r: True,
}


def age(days):
    for limit, name in ((7, "0-7"), (30, "8-30"), (90, "31-90"), (180, "91-180"), (365, "181-365")):
        if days <= limit:
            return name
    return "366+"


def term(day):
    days = (day - AS_OF).days if day else -1
    return "-" if days < 0 else next((n for d, n in ((30, "0-30"), (60, "31-60"), (90, "61-90")) if days <= d), "91+")


FACETS = {
    "idade": lambda r: age((AS_OF - r["aberta_em"]).days),
    "atraso": lambda r: "-" if r["dias"] is None else age(max(r["dias"], 0)),
    "prazo": lambda r: term(r["devido_em"]),
    "etapa": lambda r: r["etapa"] or "-",
    "falta": lambda r: json.loads(r["evidencia"]).get("falta"),
    "linha": lambda r: "-",
}


def value(row, facet):
    return FACETS[facet](row) if facet in FACETS else row[facet] or "-"


@pytest.fixture(scope="module")
def findings(truth):
    cursor = truth.execute(
        "select a.*, n.etapa, p.nome from achados a left join atos_andamento n using (achado_id)"
        " left join permissionarios p using (permissionario_id)"
    )
    names = [d[0] for d in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def charts(page_html):
    """Facet → value → number, as drawn; of facets drawn more than once on a page, the first."""
    found = {}
    for table in re.findall(r'<div class="grafico">(.*?)</div>', page_html, re.S):
        bars = re.findall(
            r'<tr data-faceta="([^"]+)" data-chave="([^"]+)">.*?<td class="num">([\d.]+)</td>', table, re.S
        )
        if bars:
            numbers = {html.unescape(chosen): int(number.replace(".", "")) for _, chosen, number in bars}
            found.setdefault(bars[0][0], numbers)
    return found


def total(page_html):
    return int(re.search(r'id="total(?:-cassacoes)?">([\d.]+)<', page_html)[1].replace(".", ""))


def test_the_municipality_has_something_of_everything(findings):
    checks = {r["verificacao"] for r in findings if LISTS["cassacoes"](r)}
    assert checks >= {"pontos_cassacao", "alvara_vencido", "substituicao_vencida", "cassacao_por_fundamento"}
    stages = {r["etapa"] for r in findings if LISTS["cassacoes"](r)}
    assert stages >= {"a_instaurar", "instaurado", "prazo_de_defesa", "pronto_para_decidir"}


@pytest.mark.parametrize("name", LISTS)
def test_each_list_and_each_bar_equal_the_rows(page, findings, name):
    rows = [r for r in findings if LISTS[name](r)]
    text = page.get(f"/lista/{name}").text
    assert total(text) == len(rows)
    drawn = charts(text)
    for facet in RECORTES[name].facetas:
        if facet == "falta":
            expected = Counter(f for r in rows for f in value(r, "falta"))
        else:
            expected = Counter(value(r, facet) for r in rows)
        assert drawn.get(facet, {}) == dict(expected), facet


@pytest.mark.parametrize("name", ["cassacoes", "multas", "nao_avaliados", "todos"])
def test_every_filter_alone_and_with_another(page, findings, name):
    rows = [r for r in findings if LISTS[name](r)]
    facets = [f for f in RECORTES[name].facetas if f != "linha"]
    for facet in facets:
        for chosen in {v for r in rows for v in ([value(r, facet)] if facet != "falta" else value(r, facet))}:
            kept = [r for r in rows if chosen == value(r, facet) or (facet == "falta" and chosen in value(r, facet))]
            text = page.get(f"/lista/{name}", params={facet: chosen}).text
            assert total(text) == len(kept), (facet, chosen)
            other = next(f for f in facets if f not in (facet, "falta"))
            assert charts(text)[other] == Counter(value(r, other) for r in kept), (facet, chosen)


def test_the_table_pages_hold_every_row_once_in_order(page, findings):
    rows = [r for r in findings if LISTS["todos"](r)]
    seen = []
    for number in range(1, 10):
        text = page.get("/lista/todos", params={"ordem": "devido_em", "por_pagina": 25, "pagina": number}).text
        ids = re.findall(r'<tr>\s*<th scope="row"[^>]*><a href="/caso/([^"]+)"', text)
        seen += ids
        if len(ids) < 25:
            break
    days = {r["achado_id"]: r["devido_em"] for r in rows}
    assert sorted(seen) == sorted(days)
    told = [days[i] for i in seen if days[i]]
    assert told == sorted(told)
    assert [days[i] for i in seen[: len(told)]] == told  # those without a day come last


def test_search_by_name_plate_and_identifiers(page, findings):
    def ask(q):
        return total(page.get("/lista/todos", params={"q": q}).text)

    assert ask("permissionario 010") == sum(r["nome"] == "Permissionário 010" for r in findings) > 0
    assert ask("D'ÁVILA") == sum("Ávila" in (r["nome"] or "") for r in findings) > 0
    assert ask("P002") == sum(r["permissionario_id"] == "P002" for r in findings) > 0
    one = findings[0]["achado_id"]
    assert ask(one) == 1
    assert ask("ABC-0D23") == sum(r["sujeito_id"] == "V000" for r in findings) > 0
    assert ask("' or 1=1 --") == ask("%") == ask("_") == 0


def test_the_morning_equals_the_rows(page, findings):
    for norma in ("", "825/2021", "408/2009"):
        rows = [r for r in findings if LISTS["cassacoes"](r) and norma in ("", r["norma"])]
        text = page.get("/", params={"norma": norma} if norma else {}).text
        assert total(text) == len(rows)
        assert f"<strong>{len({r['permissionario_id'] for r in rows})} permissionários</strong>" in text
        ready = sum(r["etapa"] == "pronto_para_decidir" for r in rows)
        assert f"<li><strong>{ready}</strong> pronta" in text
    text = page.get("/").text
    assert charts(text)["verificacao"] == Counter(r["verificacao"] for r in findings if LISTS["cassacoes"](r))
    debt = sum(r["valor"] for r in findings if LISTS["multas"](r))
    assert f"R$ {debt:,.2f}".translate(str.maketrans(",.", ".,")) in text
    assert f"{sum(LISTS['nao_avaliados'](r) for r in findings)} achados não avaliados" in text


def test_the_oldest_is_first_and_says_why(page, findings):
    rows = [r for r in findings if LISTS["cassacoes"](r)]
    oldest = min(rows, key=lambda r: (r["aberta_em"], ground(r), r["achado_id"]))
    text = page.get("/").text
    assert re.search(r'id="antigas".*?/caso/([^"]+)"', text, re.S)[1] == oldest["achado_id"]
    case = page.get(f"/caso/{oldest['achado_id']}").text
    assert oldest["dispositivo"] in html.unescape(case)
    assert f"há {(AS_OF - oldest['aberta_em']).days} dias" in case


def ground(row):
    """The last day in time, else the day of the first fact told; undated ones last."""
    if row["devido_em"]:
        return row["devido_em"]
    days = [a["dia"] for a in json.loads(row["evidencia"]).get("autos") or ()]
    return date.fromisoformat(min(days)) if days else date.max


def test_ties_go_by_the_ground_and_nobody_is_left_out(page, findings):
    rows = {r["achado_id"]: r for r in findings if LISTS["cassacoes"](r)}
    assert any(not r["devido_em"] and ground(r) < date.max for r in rows.values())
    text = page.get("/lista/cassacoes", params={"por_pagina": 200}).text
    ids = re.findall(r'<tr>\s*<th scope="row"[^>]*><a href="/caso/([^"]+)"', text)
    assert ids == sorted(rows, key=lambda i: (rows[i]["aberta_em"], ground(rows[i]), i))


def test_decided_for_good_is_said_apart(own_copy):
    with duckdb.connect(str(own_copy)) as con:
        con.execute(
            "update atos_andamento set etapa = 'final' where achado_id in (select achado_id from achados"
            " where consequencia = 'cassacao' and situacao = 'violacao' order by achado_id limit 2)"
        )
    with client(own_copy) as page:
        assert "<strong>2</strong> com decisão final, que só falta executar" in page.get("/").text
        text = page.get("/lista/cassacoes").text
        assert "2 já têm decisão final, que só falta executar" in text
        assert 'id="finais"' not in page.get("/lista/cassacoes", params={"etapa": "a_instaurar"}).text


def test_a_waiver_of_another_finding_is_shown(own_copy, findings):
    rows = [r for r in findings if LISTS["cassacoes"](r)]
    seen = next(r for r in rows if sum(o["permissionario_id"] == r["permissionario_id"] for o in findings) > 1)
    other = next(
        r
        for r in findings
        if r["permissionario_id"] == seen["permissionario_id"] and r["achado_id"] != seen["achado_id"]
    )
    alone = next(r for r in rows if r["permissionario_id"] != seen["permissionario_id"])
    waiver = {"processo": "PA 9/2026", "autoridade": "Juízo", "motivo": "liminar", "valida_de": "2026-03-01"}
    with duckdb.connect(str(own_copy)) as con:
        con.execute(
            "update achados set situacao = 'dispensado', evidencia = $e where achado_id = $id",
            {"e": json.dumps({"dispensa": waiver}), "id": other["achado_id"]},
        )
    with client(own_copy) as page:
        text = page.get(f"/caso/{seen['achado_id']}").text
        assert "PA 9/2026" in text and "de 01/03/2026, sem data para acabar" in text
        assert other["achado_id"] in re.search(r'id="dispensas".*?</table>', text, re.S)[0]
        assert 'id="dispensas"' not in page.get(f"/caso/{alone['achado_id']}").text


def test_every_check_and_every_thing_missing_has_words():
    catalogue = load_catalogue()
    raw = [c for c in catalogue if word("verificacao", c) in (c, c.replace("_", " "))]
    assert not raw
    for check in catalogue.values():
        for column in check.exige:
            assert "_" not in missing_words(column).split(" (coluna")[0], column
    assert missing_words("bimensal") != "bimensal"


def test_the_trend_is_that_of_each_night(page, truth):
    text = page.get("/lista/cassacoes").text
    told = re.findall(r'<th scope="row">(\d\d)/(\d\d)/(\d{4})</th>((?:<td class="num">[\d.]+</td>)+)', text)
    by_day = {f"{y}-{m}-{d}": [int(n) for n in re.findall(r">(\d+)<", cells)] for d, m, y, cells in told}
    for day in NIGHTS:
        counts = dict(
            truth.execute(
                "select situacao, sum(quantidade)::int from resumo_diario where as_of = $d and consequencia = 'cassacao'"
                " and situacao in ('violacao', 'para_decisao') group by 1",
                {"d": day},
            ).fetchall()
        )
        proved, deciding, others, everything, _ = by_day[day.isoformat()]
        assert (proved, deciding, others) == (counts["violacao"], counts["para_decisao"], 0)
        assert everything == sum(counts.values())


def test_closed_ones_say_why(page, truth):
    causes = dict(truth.execute("select causa, count(*) from encerrados group by 1").fetchall())
    text = page.get("/lista/encerrados").text
    assert charts(text)["causa"] == causes
    gone = truth.execute("select achado_id from encerrados where causa = 'regularizado' limit 1").fetchall()[0][0]
    assert "Encerrado em 09/03/2026: regularizado" in page.get(f"/caso/{gone}").text


def test_a_case_of_points_draws_its_windows_and_its_process(page, truth):
    achado, evidence = truth.execute(
        "select achado_id, evidencia from achados where verificacao = 'pontos_cassacao' and permissionario_id = 'P002'"
    ).fetchall()[0]
    text = html.unescape(page.get(f"/caso/{achado}").text)
    windows = json.loads(evidence)["janelas"]
    assert text.count('class="janela"') == min(len(windows), 6)
    for auto in json.loads(evidence)["autos"]:
        assert f"auto {auto['auto_id']}, " in text
    assert "PR2" in text and "Pronto para decidir" in text and "20/01/2026 Processo instaurado" in text
    assert "COMO SE CHEGOU A ISSO" in text


def test_every_case_opens(page, findings, truth):
    one_of_each = {(r["verificacao"], r["situacao"], r["etapa"]): r for r in findings}
    for row in one_of_each.values():
        assert page.get(f"/caso/{row['achado_id']}").status_code == 200, row["achado_id"]
    for (gone,) in truth.execute("select achado_id from encerrados").fetchall():
        assert page.get(f"/caso/{gone}").status_code == 200
    assert page.get("/caso/nada").status_code == 404


def test_what_is_missing_and_what_it_hides(page, truth):
    text = html.unescape(page.get("/cobertura").text)
    first = re.search(r'id="faltas".*?<tbody>(.*?)</tr>', text, re.S)[1]
    assert "Cassação" in first  # what may hide one comes first
    assert "Ocorrência sistemática" in text
    assert "na norma inteira: ninguém foi avaliado" in text


def test_cpfs_are_hidden_even_in_free_text(page, truth):
    achado = truth.execute(
        "select achado_id from achados where verificacao = 'pontos_cassacao' and permissionario_id = 'P003'"
    ).fetchall()[0][0]
    text = page.get(f"/caso/{achado}").text
    assert "***.982.247-**" in text and "denúncia do CPF ***.982.247-**" in text
    assert "529.982.247-25" not in text and "52998224725" not in text


def test_the_address_holds_only_what_the_page_knows():
    asked = {
        "norma": "825/2021",
        "x": "1",
        "ordem": "a.valor; drop table achados",
        "pagina": "-3",
        "por_pagina": "9999",
    }
    got = read_filter(asked, ("norma",), ("valor",), True)
    assert dict(got.facetas) == {"norma": "825/2021"}
    assert (got.ordem, got.pagina, got.por_pagina) == ("", 1, 200)
    assert read_filter({"pagina": "9" * 30}, (), (), True).pagina == 1
    assert "825" not in got.where()


def test_an_unknown_norm_is_said_and_all_are_shown(page):
    text = page.get("/", params={"norma": "999"}).text
    assert "A norma «<bdi>999</bdi>» não está entre as deste município; abaixo, todas." in text
    for known in ("", "825/2021"):
        assert "norma-desconhecida" not in page.get("/", params={"norma": known}).text
