"""A sixth norm needs data, not code: a made-up law, with every number of its own, on the same checks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from data.loader import ROOT, load_norms
from flows.settings import load_settings
from flows.steps import run_nightly
from tests.flows.base import request
from tests.law.casos import Case, catalogue, compare, read_cases, run_cases

HERE = Path(__file__).parent / "sexta_norma"
NORMS = load_norms((ROOT, HERE / "normas"), catalogue=catalogue())
CASES = [c for path in sorted((HERE / "casos").glob("*.csv")) for c in read_cases(catalogue()[path.stem], path)]
DATES = sorted({c.as_of for c in CASES})


@pytest.mark.parametrize("as_of", DATES, ids=str)
def test_every_family_works_on_it(as_of: date) -> None:
    cases: list[Case] = [c for c in CASES if c.as_of == as_of]
    found = run_cases(cases, as_of, NORMS)
    problems = [p for case in cases for p in compare(case, found[case.key])]
    assert not problems, "\n".join(problems)


def test_it_has_cases_of_every_check_it_asks_for() -> None:
    sixth = next(n for n in NORMS if n.id == "99/2020")
    assert set(sixth.verificacoes) == {c.check for c in CASES}


def test_a_municipality_adds_it_in_its_settings(tmp_path: Path) -> None:
    """The folder of norms is named in the municipality's own file; a night then knows the norm."""
    folder = tmp_path / "extratos"
    folder.mkdir()
    (folder / "permissionarios.csv").write_text(
        "permissionario_id;norma;nome;tipo_pessoa;documento\nP1;99/2020;Ana;PF;529.982.247-25\n", encoding="utf-8"
    )
    (folder / "alvaras.csv").write_text(
        "alvara_id;permissionario_id;emitido_em;modalidade\nA1;P1;01/09/2024;permissao\n", encoding="utf-8"
    )
    config = tmp_path / "municipio.toml"
    config.write_text(f'normas = ["{HERE / "normas"}"]\n', encoding="utf-8")
    base = request(tmp_path, folder, date(2026, 3, 2))
    settings = load_settings(config, warehouse=base.warehouse)
    resumo = run_nightly(type(base)(**{**base.__dict__, "settings": settings}))
    assert resumo.codigo_saida == 0, (resumo.erros, resumo.avisos)
    published = (base.out / "achados.csv").read_text(encoding="utf-8-sig")
    assert (
        "alvara_vencido;99/2020;art. 4º;violacao;alvara;A1;P1;2026-03-01;1;suspensao;Diretor de Transportes"
        in published
    )
