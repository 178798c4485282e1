"""The declared suites: whole, well addressed, and about columns that exist."""

import pytest

from checks.extracts.contracts import contracts
from checks.warehouse.suites import CROSS, SuiteError, load_suites
from tests.warehouse.base import D, carga

SUITES = load_suites()


def test_every_extract_of_the_contract_has_a_suite():
    assert set(SUITES) == {*contracts(), CROSS}


@pytest.mark.parametrize("extrato", [e for e in SUITES if e != CROSS])
def test_a_suite_names_only_columns_of_its_extract(extrato):
    suite, names = SUITES[extrato], contracts()[extrato].names
    assert set(suite.datas_de_fato) | ({suite.fato} if suite.fato else set()) <= set(names)
    for x in suite.expectativa:
        assert set(x.exige) <= set(names), x.id
        if x.ligacao:
            own, target = (part.strip() for part in x.ligacao.split("->"))
            other, column = target.split(".")
            assert own in names
            assert column in contracts()[other].names


def test_the_cross_suite_names_only_columns_that_exist_and_never_refuses():
    for x in SUITES[CROSS].expectativa:
        assert x.severidade == "aviso"
        for address in x.exige:
            extrato, column = address.split(".")
            assert column in contracts()[extrato].names


@pytest.mark.parametrize("n", [0, 1])
def test_every_measure_runs_on_an_empty_load_and_on_a_row_of_nulls(con, n):
    """Every column loaded, without rows and then with a row of NULLs: no measure may break."""
    from checks.warehouse.gate import run_gate

    for extrato, contract in contracts().items():
        con.executemany("insert into extrato.colunas values (?, ?)", [(extrato, c) for c in contract.names])
        if n:
            con.execute(f"insert into extrato.{extrato} (linha) values (1)")
        carga(con, extrato)
    result = run_gate(con, D)
    assert result.erros == []
    assert all(r.sucesso is not None for r in result.rows)
    assert set(result.recusados) == set(contracts())


GENERAL = '[[expectativa]]\nid = "g"\ndescricao = "x"\nseveridade = "aviso"\nmedida = "frescor"\nmaximo = 1\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extrato = ", r"autos\.toml"),
        ('extrato = "veiculos"', "deve ser 'autos'"),
        ('extrato = "autos"\n' + GENERAL, "repetida: g"),
        ('extrato = "autos"\n' + GENERAL.replace('"g"', '"h"').replace("maximo = 1", ""), "minimo ou maximo"),
        ('extrato = "autos"\n' + GENERAL.replace('"g"', '"h"') + 'conta = "1 = 1"\n', "exatamente um"),
        ('extrato = "autos"\ndesconhecido = 1\n', "desconhecido"),
    ],
)
def test_a_bad_suite_is_refused_by_name(tmp_path, text, message):
    (tmp_path / "_geral.toml").write_text(GENERAL)
    (tmp_path / "autos.toml").write_text(text)
    with pytest.raises(SuiteError, match=message):
        load_suites(tmp_path)
