"""The gate on real loads: what refuses, what only warns, and what it must leave alone."""

import json
from datetime import date, timedelta

import pytest

from checks.warehouse.gate import (
    CargaAnterior,
    GateConfigError,
    GateLimits,
    run_gate,
)
from tests.warehouse.base import ALVARAS, AUTOS, PERMISSIONARIOS, VEICULOS, D, carga, fill, rows, usual


def failed(result, severidade=None):
    return {
        f"{r.extrato}.{r.expectativa}" for r in result.rows if r.sucesso is False and severidade in (None, r.severidade)
    }


def row(result, address):
    extrato, expectativa = address.split(".")
    return next(r for r in result.rows if (r.extrato, r.expectativa) == (extrato, expectativa))


def last_load(n, days=1, **given):
    return CargaAnterior(**{"as_of": D - timedelta(days=days), "linhas": n, "carregadas": n} | given)


def test_a_clean_load_passes_whole(con):
    usual(con)
    result = run_gate(con, D)
    assert failed(result) == set()
    assert (result.recusados, result.erros) == ({}, [])
    assert {r.extrato for r in result.rows} == {"permissionarios", "veiculos", "alvaras", "autos", "cruzada"}
    assert all(r.sucesso is True for r in result.rows)


def test_the_result_is_kept_in_the_warehouse_and_is_json(con):
    usual(con)
    result = run_gate(con, D)
    kept = con.execute("select extrato, expectativa, sucesso, valor from resultado.gate").fetchall()
    assert sorted(kept) == sorted((r.extrato, r.expectativa, r.sucesso, r.valor) for r in result.rows)
    assert json.loads(json.dumps(result.to_json()))[0]["extrato"]


def test_a_first_night_of_a_tiny_municipality_passes(con):
    fill(con, "permissionarios", rows(PERMISSIONARIOS, 1))
    fill(con, "veiculos", rows(VEICULOS, 1))
    result = run_gate(con, D)
    assert result.recusados == {}


def test_permissionarios_alone_is_enough(con):
    fill(con, "permissionarios", rows(PERMISSIONARIOS, 3))
    result = run_gate(con, D)
    assert failed(result) == set()


# -- loss of rows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("agora", "recusa"), [(100, False), (81, False), (80, False), (79, True), (1, True)])
def test_more_than_a_fifth_fewer_rows_refuses(con, agora, recusa):
    fill(con, "veiculos", rows(VEICULOS, agora))
    result = run_gate(con, D, anterior={"veiculos": last_load(100)})
    assert ("veiculos" in result.recusados) is recusa
    assert ("veiculos.encolhimento" in failed(result)) is recusa


@pytest.mark.parametrize("n", [5, 10, 15, 35, 50, 1000])
def test_exactly_a_fifth_is_within_the_limit_at_every_size(con, n):
    fill(con, "veiculos", rows(VEICULOS, n * 4 // 5))
    assert run_gate(con, D, anterior={"veiculos": last_load(n)}).recusados == {}


def test_collapsed_repeats_and_footers_do_not_hide_a_truncated_file(con):
    fill(con, "veiculos", rows(VEICULOS, 50), lidas=110, duplicadas=50, ignoradas=10)
    assert "veiculos" in run_gate(con, D, anterior={"veiculos": last_load(100)}).recusados


def test_rejected_rows_are_not_taken_for_a_smaller_file(con):
    fill(con, "veiculos", rows(VEICULOS, 75), lidas=100, rejeitadas=25)
    result = run_gate(con, D, anterior={"veiculos": last_load(100)})
    assert result.recusados == {}
    assert {"veiculos.perda_de_aproveitadas", "veiculos.parte_rejeitada"} <= failed(result, "aviso")


def test_a_confirmed_reduction_is_accepted_for_that_extract_only(con):
    fill(con, "veiculos", rows(VEICULOS, 10))
    fill(con, "alvaras", rows(ALVARAS, 10))
    before = {"veiculos": last_load(100), "alvaras": last_load(100)}
    result = run_gate(con, D, GateLimits(aceitar_encolhimento=frozenset({"veiculos"})), before)
    assert set(result.recusados) == {"alvaras"}


def test_a_small_registry_may_ask_for_a_minimum_loss(con):
    fill(con, "veiculos", rows(VEICULOS, 3))
    before = {"veiculos": last_load(4)}
    assert "veiculos" in run_gate(con, D, anterior=before).recusados
    assert run_gate(con, D, GateLimits(encolhimento_minimo_linhas=2), before).recusados == {}


def test_the_reason_says_the_numbers_the_date_and_what_to_do(con):
    fill(con, "veiculos", rows(VEICULOS, 1234))
    reason = run_gate(con, D, anterior={"veiculos": last_load(5000)}).recusados["veiculos"]
    for part in (
        "75,3 %",
        "no máximo 20 %",
        "5.000 linhas em 29/11/2026",
        "1.234 linhas agora",
        "(o de --config), na seção [portao]",
        'aceitar_encolhimento = ["veiculos"]',
    ):
        assert part in reason


@pytest.mark.parametrize(
    ("perdidas", "avisa"),
    [
        (9, False),  # too few rows to be a cut
        (10, False),  # 5 % of 200 is still within the limit
        (20, True),
    ],
)
def test_the_end_of_a_file_cut_off_is_noticed_below_the_fifth(con, perdidas, avisa):
    fill(con, "autos", f"select * from ({rows(AUTOS, 200)}) where linha <= {200 - perdidas}")
    con.execute("update extrato.autos set ocorrido_em = ocorrido_em - interval 2 day")
    before = {"autos": last_load(200, mais_novo=date(2026, 11, 28))}
    result = run_gate(con, D, anterior=before)
    assert result.recusados == {}  # below the configured share the load stands, with a warning
    assert ("autos.cauda_cortada" in failed(result, "aviso")) is avisa
    assert "autos.recuo" in failed(result, "aviso")
    assert "autos.perda_de_linhas" in failed(result, "aviso")


def test_a_rolling_window_of_operation_days_is_no_cut(con):
    days = "select 'V1' as veiculo_id, date '2026-11-29' - i::int as data, i + 1 as linha from range({}) t(i)"
    fill(con, "operacao", days.format(90))
    before = {"operacao": last_load(100, mais_novo=date(2026, 11, 28))}
    assert run_gate(con, D, anterior=before).recusados == {}


def test_a_quiet_week_warns_of_nothing_and_quiet_months_only_warn(con):
    usual(con)
    con.execute("update extrato.autos set ocorrido_em = ocorrido_em - interval 14 day")
    before = {"autos": last_load(200, mais_novo=date(2026, 11, 15))}
    assert "autos.frescor" not in failed(run_gate(con, D, anterior=before))
    con.execute("update extrato.autos set ocorrido_em = ocorrido_em - interval 30 day")
    result = run_gate(con, D)
    assert row(result, "autos.frescor").valor == 45
    assert "autos.frescor" not in failed(result)
    con.execute("update extrato.autos set ocorrido_em = ocorrido_em - interval 1 day")
    result = run_gate(con, D)
    assert "autos.frescor" in failed(result, "aviso")
    assert result.recusados == {}
    assert "15/10/2026" in row(result, "autos.frescor").observado


def test_a_future_typo_does_not_hide_a_stale_extract(con):
    usual(con)
    con.execute("update extrato.autos set ocorrido_em = ocorrido_em - interval 100 day")
    con.execute("update extrato.autos set ocorrido_em = timestamp '2027-11-20 08:00' where linha = 7")
    result = run_gate(con, D)
    assert {"autos.frescor", "autos.datas_no_futuro"} <= failed(result, "aviso")
    assert "autos.csv: linha 7" in row(result, "autos.datas_no_futuro").detalhe


# -- broken loads -----------------------------------------------------------------------------------------


def test_a_header_alone_is_refused(con):
    fill(con, "autos", f"select * from ({rows(AUTOS, 10)}) where false", lidas=2, ignoradas=2)
    result = run_gate(con, D)
    assert "autos.tem_linhas" in failed(result, "critica")
    assert "autos" in result.recusados


def test_a_file_of_which_nothing_was_used_is_refused_where_absence_accuses(con):
    fill(con, "autos", f"select * from ({rows(AUTOS, 10)}) where false", lidas=5, rejeitadas=5)
    fill(
        con,
        "feriados",
        "select date '2026-12-08' as data, 'x' as nome, 'municipal' as escopo where false",
        lidas=1,
        rejeitadas=1,
    )
    assert set(run_gate(con, D).recusados) == {"autos"}


def test_an_unbalanced_load_is_refused_even_when_the_files_cancel_out(con):
    usual(con)
    con.execute("update extrato.cargas set lidas = lidas + 1 where extrato = 'autos'")
    con.execute(
        """insert into extrato.cargas (extrato, arquivo, lidas, carregadas, rejeitadas, duplicadas, ignoradas,
           situacao, origem_as_of) values ('autos', 'autos-2.csv', 0, 1, 0, 0, 0, 'aceito', $d)""",
        {"d": D},
    )
    con.execute("update extrato.cargas set carregadas = carregadas - 1 where arquivo = 'autos.csv'")
    result = run_gate(con, D)
    assert failed(result, "critica") == {"autos.balanco"}
    assert row(result, "autos.balanco").valor == 3


def test_rows_lost_after_counting_are_refused(con):
    usual(con)
    con.execute("delete from extrato.veiculos where linha = 3")
    assert failed(run_gate(con, D), "critica") == {"veiculos.tabela_completa"}


def test_a_repeated_key_is_refused_and_named(con):
    usual(con)
    con.execute("update extrato.alvaras set alvara_id = 'A00007' where linha = 1")
    result = run_gate(con, D)
    assert set(result.recusados) == {"alvaras"}
    assert row(result, "alvaras.chave_unica").valor == 1
    assert "A00007" in row(result, "alvaras.chave_unica").detalhe


@pytest.mark.parametrize("vazio", ["null", "''"])
@pytest.mark.parametrize("coluna", ["permissionario_id", "norma", "documento"])
def test_a_required_column_without_a_value_is_refused_with_its_line(con, coluna, vazio):
    usual(con)
    con.execute(f"update extrato.permissionarios set {coluna} = {vazio} where linha = 12")
    result = run_gate(con, D)
    assert set(result.recusados) == {"permissionarios"}
    lines = [r.detalhe for r in result.rows if r.sucesso is False and r.severidade == "critica"]
    assert any("linha 12" in detail for detail in lines)


def test_an_inspection_may_name_its_vehicle_by_plate(con):
    usual(con)
    plate = """select 'T1' as vistoria_id, null::varchar as veiculo_id, 'AAA0001' as placa,
        date '2026-11-20' as realizada_em, 'aprovada' as resultado, 1 as linha"""
    fill(con, "vistorias", plate)
    assert run_gate(con, D).recusados == {}
    con.execute("update extrato.vistorias set placa = ''")
    assert set(run_gate(con, D).recusados) == {"vistorias"}


def test_stale_and_missing_extracts_are_told_and_never_refused_again(con):
    usual(con)
    con.execute("update extrato.alvaras set alvara_id = 'A00007' where linha = 1")
    carga(con, "alvaras", situacao="defasado", origem_as_of=D - timedelta(days=3))
    before = {"alvaras": last_load(900, days=3), "vistorias": last_load(40)}
    result = run_gate(con, D, anterior=before)
    assert result.recusados == {}
    assert row(result, "alvaras.em_vigor").valor == 3
    assert {"alvaras.em_vigor", "vistorias.presente"} <= failed(result, "aviso")


# -- facts ------------------------------------------------------------------------------------------------


def test_keys_that_point_nowhere_warn_with_their_names(con):
    usual(con)
    con.execute("update extrato.autos set permissionario_id = 'PERDIDO' where linha <= 3")
    result = run_gate(con, D)
    assert result.recusados == {}
    found = row(result, "autos.permissionario_solto")
    assert (found.sucesso, found.valor) == (False, 0.015)
    assert found.observado == "1,5 % (3 linhas)"
    assert "PERDIDO" in found.detalhe


def test_unknown_codes_warn_above_their_share(con):
    usual(con)
    con.execute("update extrato.autos set codigo = '99-Z' where linha <= 4")
    assert row(run_gate(con, D), "cruzada.codigo_desconhecido").sucesso is True
    con.execute("update extrato.autos set codigo = '99-Z' where linha <= 5")
    found = row(run_gate(con, D), "cruzada.codigo_desconhecido")
    assert found.sucesso is False
    assert "99-Z em 825/2021 (5 autos)" in found.detalhe


def test_nobody_paying_anything_is_remarked_on_but_not_in_a_handful(con):
    usual(con)
    con.execute("update extrato.autos set pago_em = null")
    assert "autos.nenhum_pagamento" in failed(run_gate(con, D), "aviso")
    fill(con, "autos", f"select * replace (null::date as pago_em) from ({rows(AUTOS, 49)})")
    assert "autos.nenhum_pagamento" not in failed(run_gate(con, D))


def test_what_is_not_in_the_load_is_not_asked(con):
    usual(con)
    con.execute("delete from extrato.colunas where extrato = 'autos' and coluna = 'pago_em'")
    asked = {f"{r.extrato}.{r.expectativa}" for r in run_gate(con, D).rows}
    assert "autos.nenhum_pagamento" not in asked
    assert "autos.valor_fora_da_faixa" in asked


def test_two_vehicles_of_one_plate_are_found_through_both_its_forms(con):
    usual(con)
    con.execute("update extrato.veiculos set placa = 'bbb-1234' where linha = 1")
    con.execute("update extrato.veiculos set placa = 'BBB1C34' where linha = 2")
    found = row(run_gate(con, D), "cruzada.placa_repetida")
    assert (found.sucesso, found.valor) == (False, 1)
    assert "V00000 = V00001" in found.detalhe


def test_a_permit_of_the_holder_covers_his_vehicles(con):
    usual(con)
    con.execute("update extrato.alvaras set veiculo_id = null")
    assert row(run_gate(con, D), "cruzada.veiculo_sem_alvara").valor == 0
    con.execute("delete from extrato.alvaras where linha <= 41")
    carga(con, "alvaras")
    assert row(run_gate(con, D), "cruzada.veiculo_sem_alvara").valor == pytest.approx(0.205)


def test_unreadable_optional_values_warn(con):
    usual(con)
    con.execute("update extrato.veiculos set desconhecidos = ['lugares'] where linha <= 11")
    found = row(run_gate(con, D), "veiculos.valores_legiveis")
    assert (found.sucesso, found.valor) == (False, 0.055)


def test_a_document_in_place_of_a_key_is_masked_in_the_detail(con):
    usual(con)
    con.execute("update extrato.autos set permissionario_id = '529.982.247-25' where linha <= 5")
    detail = row(run_gate(con, D), "autos.permissionario_solto").detalhe
    assert "***.982.247-**" in detail
    assert "529" not in detail


# -- settings ---------------------------------------------------------------------------------------------


def test_limits_are_the_municipalitys(con):
    usual(con)
    con.execute("update extrato.autos set permissionario_id = 'PERDIDO' where linha <= 3")
    loose = GateLimits(ajustes={"autos.permissionario_solto": 0.015})
    assert failed(run_gate(con, D, loose)) == set()
    off = GateLimits(desligadas=frozenset({"autos.permissionario_solto"}))
    assert "permissionario_solto" not in {r.expectativa for r in run_gate(con, D, off).rows if r.extrato == "autos"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"ajustes": {"autos.nada": 1}},
        {"desligadas": frozenset({"autos.chave_unica"})},
        {"aceitar_encolhimento": frozenset({"carros"})},
    ],
)
def test_settings_that_name_nothing_or_too_much_are_an_error(con, wrong):
    usual(con)
    with pytest.raises(GateConfigError, match="portão"):
        run_gate(con, D, GateLimits(**wrong))
