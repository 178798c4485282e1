"""What a finding rests on, told so that it can be checked by hand: autos, fleet, fees, codes in words."""

from datetime import date
from decimal import Decimal

import duckdb
import pytest

from reports.explain import explain, render_explanation
from reports.explain.autos import why
from reports.explain.fleet import load_fleet
from reports.explain.rules import check_rules, provisions_of
from reports.explain.sources import named_records, source_lines
from reports.explain.vocabulary import label, read_evidence, write
from tests.ledger.base import Row, new_warehouse, night

AS_OF = date(2026, 3, 10)
NO_DEFENCE = {"estado_auto": "confirmado", "ciencia_em": date(2026, 2, 1), "fim_defesa": date(2026, 2, 16)}
DEFENDED = {**NO_DEFENCE, "defesa_em": date(2026, 2, 10), "defesa_tempestiva": True}
DECIDED = {**DEFENDED, "decisao": "procedente", "ciencia_decisao_em": date(2026, 3, 1)}


@pytest.mark.parametrize(
    ("auto", "told"),
    [
        (NO_DEFENCE, "definitivo: ciência em 01/02/2026; o prazo de defesa acabou em 16/02/2026 sem defesa"),
        (
            {**NO_DEFENCE, "defesa_em": date(2026, 2, 17), "defesa_tempestiva": False},
            "defesa só em 17/02/2026, depois do fim do prazo, 16/02/2026",
        ),
        (DECIDED, "decidido procedente, o auto fica, com ciência da decisão em 01/03/2026"),
        (
            {**DECIDED, "recurso_em": date(2026, 3, 5), "recurso_tempestivo": True, "decisao_recurso": "negado"},
            "recurso em 05/03/2026, negado",
        ),
        ({**DECIDED, "recurso_em": date(2026, 3, 5), "recurso_tempestivo": False}, "que não muda o auto"),
        ({**DEFENDED, "estado_auto": "em_defesa"}, "ainda não definitivo: a defesa, de 10/02/2026, ainda não foi"),
        ({**NO_DEFENCE, "estado_auto": "em_defesa", "fim_defesa": AS_OF}, "o prazo de defesa vai até 10/03/2026"),
        ({**NO_DEFENCE, "estado_auto": "em_defesa", "ciencia_em": date(2026, 3, 11)}, "a ciência é de 11/03/2026"),
        ({"estado_auto": "cancelado", "decisao": "improcedente"}, "cancelado: a defesa foi aceita"),
        ({"estado_auto": "incerto", "incerto": ["ciencia_em"]}, "em dúvida: não se lê ciencia_em"),
    ],
)
def test_why_an_auto_counts(auto, told):
    assert told in why(auto, AS_OF)


def test_provision_that_names_the_code():
    rules = check_rules("408/2009", "cassacao_por_fundamento", AS_OF)
    assert provisions_of(rules, "AnII-06") == ["art. 63, X"]
    assert provisions_of(rules, "AnII-07") == [] and provisions_of(rules, None) == []
    assert check_rules("408/2009", "nenhuma", AS_OF) == {"parametros": {}, "regras": []}


def test_fleet_counted_again():
    with duckdb.connect() as con:
        con.execute("create schema extrato")
        con.execute(
            "create table extrato.veiculos as select * from (values ('V1', 'reserva', null), ('V2', 'operacao', null),"
            " ('V3', 'operacao', date '2026-03-10'), ('V4', 'operacao', date '2026-03-11'))"
            " v(veiculo_id, funcao, baixado_em), (values ('P', date '2020-01-01')) p(permissionario_id, cadastrado_em)"
        )
        con.execute("create table extrato.linhas as select 'L1' as linha_id, 8 as frota_exigida")
        achado = {"verificacao": "frota_reserva_insuficiente", "permissionario_id": "P"}
        evidence = {"reserva": 1, "frota_em_operacao": 2, "linhas": ["L1"]}
        told = {"reserva": ["V1"], "operacao": ["V2", "V4"], "linhas": {"L1": 8}}
        assert load_fleet(con, achado, evidence, AS_OF) == told
        # another count than the night's names nobody
        assert load_fleet(con, achado, {**evidence, "reserva": 2}, AS_OF)["reserva"] is None
        assert load_fleet(con, {**achado, "verificacao": "outra"}, evidence, AS_OF) == {}


def test_lines_of_fees_and_of_records_named_by_another_word():
    assert set(named_records({"veiculos": ["V1", "V2"], "titulo_anterior": "A1", "x": [{"vistoria_id": "T1"}]})) == {
        ("veiculo", "V1"), ("veiculo", "V2"), ("alvara", "A1"), ("vistoria", "T1"),
    }  # fmt: skip
    with duckdb.connect() as con:
        con.execute("create schema extrato")
        con.execute("create table extrato.cargas (extrato varchar, arquivo varchar, sha256 varchar)")
        con.execute(
            "create table extrato.taxas as select * from (values ('P', 'TVTM', 2025, 'V1', 2), ('P', 'TVTM', 2026, 'V1', 3),"
            " ('Q', 'TVTM', 2025, 'V1', 4), ('P', 'cracha_condutor', 2025, null, 5))"
            " t(permissionario_id, tipo, exercicio, veiculo_id, linha), (values ('taxas.csv')) f(arquivo)"
        )
        achado = {"sujeito_tipo": "permissionario", "sujeito_id": "P", "permissionario_id": "P"}
        rows = [
            {"tipo": "TVTM", "exercicio": 2025, "veiculo_id": "V1"},
            {"tipo": "cracha_condutor", "exercicio": 2025, "veiculo_id": None},
        ]
        found = source_lines(con, achado, {"taxas_em_aberto": rows})
        assert [(f.extrato, f.linha) for f in found] == [("taxas", 2), ("taxas", 5)]


def test_a_finding_about_the_norm_names_the_files_it_counts():
    with duckdb.connect() as con:
        con.execute("create schema extrato")
        con.execute(
            "create table extrato.cargas as select * from (values ('alvaras', 'alvaras.csv', 'a1', 9), ('veiculos', 'veiculos.csv', 'b2', 9),"
            " ('municipios', 'municipios.csv', 'c3', 1), ('municipios', null, null, 0))"
            " c(extrato, arquivo, sha256, carregadas)"
        )
        achado = {"sujeito_tipo": "norma", "sujeito_id": "N", "permissionario_id": None, "situacao": "para_decisao"}
        achado["verificacao"] = "limite_de_permissoes"
        told = [(f.arquivo, f.linha, f.sha256) for f in source_lines(con, achado, {})]
        assert told == [("alvaras.csv", None, "a1"), ("municipios.csv", None, "c3")]
        assert source_lines(con, {**achado, "situacao": "nao_avaliado"}, {}) == []


def test_codes_are_written_in_words_and_labels_fit_their_table():
    assert write("tipo", "cracha_permissionario") == "crachá do permissionário"
    assert write("tipo_veiculo", "onibus_misto") == "ônibus misto"
    assert write("falta", ["alvaras.emitido_em"]) == "Emitido em"
    assert write("veiculo_id", "v_um") == "v_um"
    assert label("valor") == "Valor lançado" and label("valor", "taxas_em_aberto") == "Valor da taxa"
    row = read_evidence('{"taxas_em_aberto":[{"tipo":"cracha_condutor","exercicio":2025,"valor":10.00}]}')
    (told,) = (write("taxas_em_aberto", r) for r in row["taxas_em_aberto"])
    assert told == "Taxa: crachá do condutor; Exercício: 2025; Valor da taxa: R$ 10,00"


def test_every_label_inside_a_table_is_a_word():
    for name in ("exercicio", "prazo_ate", "vez", "formula", "tipo", "dias_uteis", "passageiros_por_veiculo"):
        assert label(name) != name.replace("_", " ")


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()


def test_reserve_and_difference_are_told_with_their_sums(con):
    reserve = (
        '{"reserva":0,"reserva_exigida":1,"frota_em_operacao":7,"frota_exigida":8,"linhas":["L1"],"parte_da_frota":0.1}'
    )
    fine = (
        '{"codigo":"I-11","infracao":"Conduta","ocorrido_em":"2026-01-02 10:00:00","valor":106.60,"quantidade":5,'
        '"unidade":"UFP","valor_unidade":21.32,"valor_norma":106.60,"fator":1,"valor_calculado":0.00,'
        '"diferenca":106.60,"motivo":"sem precedente, a norma adverte e não multa"}'
    )
    night(
        con,
        1,
        [
            Row("P1", verificacao="frota_reserva_insuficiente", evidencia=reserve, norma="1343/1994"),
            Row("I1", verificacao="valor_divergente", evidencia=fine, valor=Decimal("0.00")),
        ],
    )
    text = " ".join(render_explanation(explain(con, "frota_reserva")).split())
    assert "0,1 × 8 = 0,8, arredondado para cima, e nunca menos de 1: 1." in text
    assert "no cadastro (função reserva, não baixados): 0." in text and "Faltam 1." in text
    text = " ".join(render_explanation(explain(con, "valor_divergente")).split())
    assert "5 × R$ 21,32 (UFP no dia do fato) = R$ 106,60." in text
    assert "O que deveria ter sido lançado neste caso: R$ 0,00, que não é o da tabela pelo motivo acima." in text
    assert "Diferença: R$ 106,60 − R$ 0,00 = R$ 106,60." in text


def test_zero_is_told_and_the_owner_is_masked(con):
    night(con, 1, [Row("V1", verificacao="outra", evidencia='{"reserva":0,"proprietario_documento":"52998224725"}')])
    text = render_explanation(explain(con, "outra"))
    assert "Veículos de reserva: 0" in text and "***.982.247-**" in text and "52998224725" not in text
