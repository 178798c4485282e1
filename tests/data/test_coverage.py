"""The coverage files of the five norms: the whole law, every obligation, no id out of nowhere."""

from __future__ import annotations

import tomllib

import pytest

from data.coverage import CHECKS, ROOT, load_coverage
from data.coverage_model import SITUACOES, cited_articles

#: Last article and annexes of each norm as published, and its machine-checkable provisions.
LEI = {
    "408/2009": (79, {"Anexo I", "Anexo II", "Anexo III"}, 77),
    "825/2021": (44, {"Anexo I", "Anexo II"}, 61),
    "1343/1994": (140, {"Anexo I"}, 84),
    "1854/1999": (132, {"Código Disciplinar"}, 71),
    "30258/1983": (78, set(), 61),
}
#: Ids the product announces for `achados.verificacao`.
IDS = """
alvara_vencido renovacao_pre_detran veiculo_acima_da_idade declaracao_substituicao substituicao_vencida
multa_vencida pontos_cassacao
veiculo_sem_alvara alvara_sem_linha alvara_duplicado prazo_outorga_excedido renovacao_nao_requerida
permissao_unica impedimento_nova_outorga interrupcao_excedida limite_de_permissoes operacao_nao_iniciada
renovacao_com_debito taxa_nao_paga
vistoria_vencida vistoria_reprovada_sem_correcao vistoria_rigorosa veiculo_nao_cadastrado veiculo_parado
substituicao_irregular motor_abaixo_do_minimo veiculo_de_terceiro licenciamento_vencido seguro_vencido
registro_desatualizado lotacao_excedida
frota_reserva_insuficiente frota_reserva_excedida condutores_por_veiculo quadro_de_motoristas
frota_nao_circulada viagens_nao_realizadas cnh_irregular idade_minima pessoal_nao_cadastrado
atuando_suspenso suspensao_excedida
valor_divergente auto_incompleto infracao_sem_enquadramento infracao_em_conflito decisao_em_atraso
devolucao_devida
advertencias_suspensao ocorrencia_sistematica cassacao_por_fundamento suspensao_matricula
cassacao_matricula recolhimento apreensao retencao
balanco_nao_entregue cadastro_desatualizado relatorio_nao_entregue garantia_insuficiente
garantia_nao_recomposta comunicacao_em_atraso
"""
ANUNCIADAS = set(IDS.split())


@pytest.fixture(scope="module")
def coberturas():
    return {c.norma: c for c in load_coverage()}


def checks_of(norma):
    """Checks that the norm's folder gives parameters to, read apart from the code under test."""
    for pasta in ROOT.iterdir():
        cabecalho = pasta / "norma.toml"
        if cabecalho.exists() and tomllib.loads(cabecalho.read_text())["norma"]["id"] == norma:
            blocos = (tomllib.loads(a.read_text()) for a in (pasta / "verificacoes").glob("*.toml"))
            return {check for bloco in blocos for check in bloco.get("verificacao", {})}
    raise AssertionError(norma)


@pytest.mark.parametrize("norma", LEI)
def test_every_article_and_annex_has_its_row(coberturas, norma):
    ultimo, anexos, _ = LEI[norma]
    nomes = [a.nome for a in coberturas[norma].artigos]
    artigos = [f"art. {n}º" if n < 10 else f"art. {n}" for n in range(1, ultimo + 1)]
    assert [n for n in nomes if n.startswith("art. ")] == artigos
    assert anexos == {n for n in nomes if not n.startswith(("art. ", "decreto, "))}
    proprias = {linha.dispositivo for linha in coberturas[norma].linhas}
    assert set(artigos) <= proprias


def test_the_decree_that_approves_the_regulation_is_there(coberturas):
    nomes = {a.nome for a in coberturas["30258/1983"].artigos}
    assert {"decreto, art. 1º", "decreto, art. 2º"} <= nomes


@pytest.mark.parametrize("norma", LEI)
def test_every_obligation_has_a_destiny(coberturas, norma):
    obrigacoes = coberturas[norma].obrigacoes
    assert len(obrigacoes) == LEI[norma][2]
    assert len({(o.dispositivo, o.assunto) for o in obrigacoes}) == len(obrigacoes)
    assert all(o.verificacoes or o.motivo for o in obrigacoes)


def test_every_id_is_an_announced_check_and_every_announced_check_is_placed(coberturas):
    citadas = {v for c in coberturas.values() for linha in c.linhas for v in linha.verificacoes}
    assert citadas - ANUNCIADAS - {p.parent.name for p in CHECKS.glob("*/check.toml")} == set()
    assert ANUNCIADAS - citadas == set()


@pytest.mark.parametrize("norma", LEI)
def test_a_check_the_norm_uses_is_shown_under_some_article(coberturas, norma):
    citadas = {v for linha in coberturas[norma].linhas for v in linha.verificacoes}
    assert checks_of(norma) - citadas == set()


@pytest.mark.parametrize("norma", LEI)
def test_what_is_pending_names_the_check_it_waits_for_and_that_check_does_not_run_yet(coberturas, norma):
    rodam = checks_of(norma) & {p.parent.name for p in CHECKS.glob("*/check.toml")}
    for linha in (*coberturas[norma].linhas, *coberturas[norma].obrigacoes):
        assert linha.situacao != "pendente" or linha.propostas, linha.dispositivo
        novas = {check for check, verbo in linha.propostas.items() if verbo != "ampliar"}
        assert rodam.isdisjoint(novas), f"{linha.dispositivo}: {novas & rodam} já roda"


@pytest.mark.parametrize("norma", LEI)
def test_the_summary_adds_up(coberturas, norma):
    cobertura = coberturas[norma]
    contagens = cobertura.contagens
    assert sum(contagens["artigos"].values()) == len(cobertura.artigos)
    assert sum(contagens["dispositivos"].values()) == len(cobertura.linhas)
    assert sum(contagens["obrigacoes"].values()) == len(cobertura.obrigacoes)
    assert sum(len(a.linhas) for a in cobertura.artigos) == len(cobertura.linhas)
    for contas in contagens.values():
        assert set(contas) <= set(SITUACOES)
        assert all(contas.values())


@pytest.mark.parametrize(
    ("citacao", "artigos"),
    [
        ("art. 5º c/c Anexo I", {"art. 5º"}),
        ("art. 9º e 17", {"art. 9º", "art. 17"}),
        ("art. 27, VI / 28", {"art. 27", "art. 28"}),
        ("art. 34, §1º e 39", {"art. 34", "art. 39"}),
        ("art. 38, 40, 41", {"art. 38", "art. 40", "art. 41"}),
        ("art. 58 §1º-3º", {"art. 58"}),
        ("art. 115-118", {"art. 115", "art. 116", "art. 117", "art. 118"}),
        ("art. 19, §6º c/c 40, IV", {"art. 19", "art. 40"}),
        ("art. 2º (especiais)", {"art. 2º"}),
        ("Anexo II", set()),
    ],
)
def test_citations_are_read(citacao, artigos):
    assert cited_articles(citacao) == artigos
