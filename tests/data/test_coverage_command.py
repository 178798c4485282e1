"""`emdia norms coverage`: what it prints and how it ends."""

from __future__ import annotations

import json

import pytest

from flows.cli import main

NORMAS = {"408/2009", "825/2021", "1343/1994", "1854/1999", "30258/1983"}


def test_json_says_everything(capsys):
    assert main(["norms", "coverage", "--json"]) == 0
    lido = json.loads(capsys.readouterr().out)
    assert {n["norma"] for n in lido} == NORMAS
    for norma in lido:
        assert sum(norma["contagens"]["obrigacoes"].values()) == len(norma["obrigacoes"])
        assert all({"situacao", "estado"} <= set(o) for o in norma["obrigacoes"])
        assert all(a["dispositivos"] for a in norma["artigos"])


def test_one_norm_article_by_article(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["norms", "coverage", "--norma", "825/2021", "--todos"]) == 0
    saida = capsys.readouterr().out
    assert "art. 40, II" in saida
    assert "pontos_cassacao" in saida
    assert "408/2009" not in saida


def test_summary_has_counts_and_no_articles(capsys):
    assert main(["norms", "coverage", "--resumo"]) == 0
    saida = capsys.readouterr().out
    assert all(n in saida for n in NORMAS)
    assert "art. 1º" not in saida


def test_obligations_are_listed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["norms", "coverage", "--norma", "30258/1983", "--obrigacoes"]) == 0
    assert "art. 66, par. único" in capsys.readouterr().out


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_an_unknown_norm_is_wrong_usage(capsys, extra):
    assert main(["norms", "coverage", "--norma", "9/1999", *extra]) == 2
    lido = capsys.readouterr()
    assert "9/1999" in lido.err
    assert "825/2021" in lido.err
    assert lido.out == ""
