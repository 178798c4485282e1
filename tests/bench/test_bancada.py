"""The bench, whole, at a size for tests: every figure is there and the peers agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.bench.generate import Scale
from flows.bench.metas import Meta
from flows.bench.noite import of_others
from flows.cli import main


def test_bench_measures_the_night_and_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import data.bench.generate as generator

    # Few holders with many autos each: the points family has something to say.
    monkeypatch.setitem(generator.SCALES, "S", Scale(400, 12_000, "csv"))
    assert main(["bench", "--scale", "S", "--peers", "--json", "--dir", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    steps = {e["nome"]: e for e in found["medidas"]["etapas"]}
    assert {"ingerir", "portao", "fatos", "verificacoes", "ledger", "publicar", "relatorio"} <= set(steps)
    assert steps["ingerir"]["linhas"] > 12_000 and steps["ingerir"]["pico_mb"] > 50
    checks = {v["nome"]: v for v in found["medidas"]["verificacoes"]}
    assert checks["multa_vencida"]["linhas"] == checks["pontos_cassacao"]["linhas"] == 12_000
    assert all(v["pico_mb"] > 0 and v["segundos"] >= 0 for v in checks.values())
    assert {"leitura", "piso", "piso_estreito"} == set(found["reguas"])
    assert 0 < found["pontos_s"] < found["familia_s"] < found["total_s"]
    assert found["apontados"] > 5
    assert {p["nome"]: p["diferentes"] for p in found["pares"]} == {"pandas": 0, "polars": 0, "sqlite": 0}
    assert {m["cumprida"] for m in found["metas"]} == {None}


def test_a_bar_holds_up_to_its_limit_and_not_beyond() -> None:
    assert Meta("x", 5.0, 5.0, "×").cumprida is True
    assert Meta("x", 5.001, 5.0, "×").cumprida is False
    assert Meta("x", 99.0, None, "×").cumprida is None


def test_the_seven_do_not_pay_for_facts_they_do_not_read() -> None:
    others = of_others()
    assert {"fatos/060_autos_leves", "fatos/070_taxas"} <= set(others)
    assert not {"fatos/010_prazos", "fatos/020_limite_idade", "fatos/030_autos", "fatos/040_referencias"} & set(others)
