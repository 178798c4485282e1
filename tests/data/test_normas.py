"""The five norms as they are: what was counted in the sources is all here, with its provision."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal

import pytest

from checks.law.catalogue import load_catalogue
from data.loader import load_norms
from data.model import Norm

HOJE = date(2026, 1, 1)
NORMAS = {n.id: n for n in load_norms()}


def test_all_five_fit_the_catalogue_of_checks() -> None:
    assert set(NORMAS) == {"408/2009", "825/2021", "1343/1994", "1854/1999", "30258/1983"}
    load_norms(catalogue=load_catalogue())


@pytest.mark.parametrize(
    ("norma", "infracoes", "com_valor", "taxas", "autoridades", "etapas", "prazos", "conflitos"),
    [
        ("408/2009", 37, 33, 35, 13, 8, 6, 0),
        ("825/2021", 39, 36, 15, 9, 6, 7, 0),
        ("1343/1994", 69, 59, 6, 12, 10, 7, 0),
        ("1854/1999", 107, 107, 5, 17, 8, 16, 56),
        ("30258/1983", 34, 26, 5, 7, 10, 10, 0),
    ],
)
def test_every_row_of_the_sources(
    norma: str, infracoes: int, com_valor: int, taxas: int, autoridades: int, etapas: int, prazos: int, conflitos: int
) -> None:
    n = NORMAS[norma]
    assert (len(n.infracoes), sum(i.valor is not None for i in n.infracoes)) == (infracoes, com_valor)
    assert len({i.codigo for i in n.infracoes}) == infracoes
    assert (len(n.taxas), len(n.autoridades), len(n.etapas)) == (taxas, autoridades, etapas)
    assert (len(n.prazos), len(n.conflitos)) == (prazos, conflitos)


def test_unreadable_amounts_are_empty_and_doubtful_ones_kept() -> None:
    jequie = NORMAS["1343/1994"].infracoes
    ilegiveis = {i.codigo for i in jequie if i.legivel == "nao"}
    assert ilegiveis == {"I-16", "I-42", "I-43", "I-44", "I-47", "II-02", "II-13", "II-14", "II-20", "II-21"}
    assert all(i.valor is None for i in jequie if i.codigo in ilegiveis)
    duvidosos = {i.codigo: i.valor for i in jequie if i.legivel == "duvidoso"}
    assert duvidosos["I-10"] == duvidosos["I-38"] == duvidosos["I-46"] == 10
    assert all(duvidosos[f"II-{n:02}"] == 5 for n in range(8, 13))


GRUPOS_825 = {
    "A": "26-I 26-III 26-IV 26-VI 26-VII 26-VIII 26-XV 26-XVI 26-XVII 26-XX 26-XXII 28-II 28-IV 28-X",
    "B": "26-II 26-V 26-X 26-XI 26-XII 26-XIII 26-XVIII 26-XIX 26-XXI 27-II 28-III 28-V 28-IX 28-XIII 28-XIV",
    "C": "26-XIV 27-I 27-III 28-I 28-VII 28-XI 28-XII",
}


def test_groups_points_and_amounts_of_825() -> None:
    por_codigo = {i.codigo: i for i in NORMAS["825/2021"].infracoes}
    for (grupo, codigos), (pontos, valor) in zip(GRUPOS_825.items(), ((1, 50), (2, 100), (3, 150)), strict=True):
        assert {c for c, i in por_codigo.items() if i.grupo == grupo} == set(codigos.split())
        for codigo in codigos.split():
            i = por_codigo.pop(codigo)
            assert (i.pontos, i.valor, i.unidade) == (pontos, valor, "TARIFA_SITIAC")
    assert set(por_codigo) == {"26-IX", "28-VI", "28-VIII"}
    assert all(i.grupo is None and i.pontos is None and i.valor is None for i in por_codigo.values())


def test_units_and_amounts_of_the_others() -> None:
    valores = {
        ("408/2009", "AnII-01"): ("BRL", Decimal("574.00")),
        ("408/2009", "AnII-20"): ("BRL", Decimal("957.00")),
        ("408/2009", "AnII-15"): ("BRL", Decimal("200.00")),
        ("1343/1994", "I-02"): ("UFP", Decimal(15)),
        ("1854/1999", "A-01"): ("UPFM", Decimal(2)),
        ("1854/1999", "E-03"): ("UPFM", Decimal(10)),
        ("30258/1983", "57-I-a"): ("VRE", Decimal("0.40")),
        ("30258/1983", "57-IV-c"): ("VRE", Decimal(1)),
        ("30258/1983", "56-I"): (None, None),
    }
    for (norma, codigo), esperado in valores.items():
        (i,) = [i for i in NORMAS[norma].infracoes if i.codigo == codigo]
        assert (i.unidade, i.valor) == esperado


def test_upfm_follows_the_group() -> None:
    upfm = {"A": 2, "B": 4, "C": 6, "D": 8, "E": 10}
    assert all(i.valor == upfm[i.grupo or ""] for i in NORMAS["1854/1999"].infracoes)


def test_conflicts_of_1854_take_the_milder() -> None:
    norma = NORMAS["1854/1999"]
    conflitos = norma.conflitos
    assert Counter(c.situacao for c in conflitos) == {
        "igual": 45, "grupo_diverge": 6, "so_no_artigo": 3, "so_no_anexo": 2,
    }  # fmt: skip
    pares = {(c.codigo_artigo, c.codigo_anexo): c for c in conflitos if c.situacao == "grupo_diverge"}
    assert set(pares) == {
        ("93-VII", "E-06"), ("93-VIII", "B-01"), ("93-IX", "E-07"), ("94-VII", "E-04"), ("95-I", "E-08"), ("95-II", "E-09"),
    }  # fmt: skip
    for c in pares.values():
        assert c.valor_artigo is not None and c.valor_anexo is not None
        assert c.valor_adotado == min(c.valor_artigo, c.valor_anexo) and c.leitura
    valores = {i.codigo: i.valor for i in norma.infracoes}
    for c in conflitos:
        for codigo, valor in ((c.codigo_artigo, c.valor_artigo), (c.codigo_anexo, c.valor_anexo)):
            assert codigo is None or valores[codigo] == valor
    citados = {x for c in conflitos for x in (c.codigo_artigo, c.codigo_anexo) if x}
    assert citados == set(valores)


@pytest.mark.parametrize(
    ("norma", "esperado"),
    [
        ("408/2009", {("alvara", 1, "anos")}),
        ("825/2021", {("permissao", None, "fim_do_ano")}),
        ("1343/1994", {("concessao", 10, "anos"), ("permissao", None, "desconhecido"), ("autorizacao", 6, "meses")}),
        ("1854/1999", {("concessao", 5, "anos"), ("permissao_emergencial", 180, "dias")}),
        ("30258/1983", {("permissao", None, "indeterminado"), ("autorizacao", 6, "meses"),
                        ("autorizacao_especial", 12, "meses")}),
    ],
)  # fmt: skip
def test_terms_of_permits(norma: str, esperado: set[tuple[str, int | None, str]]) -> None:
    assert {(o.modalidade, o.quantidade, o.unidade) for o in NORMAS[norma].outorgas} == esperado


@pytest.mark.parametrize(
    ("norma", "defesa", "decisao", "recurso", "suspensivo", "transito", "exige"),
    [
        ("408/2009", (5, None), (5, None), (5, None), False, None, True),
        ("825/2021", (15, None), (15, None), (None, None), False, None, False),
        ("1343/1994", (10, 5), (None, 5), (None, 5), False, None, False),
        ("1854/1999", (None, 5), (None, None), (None, 5), True, 30, False),
        ("30258/1983", (10, None), (10, None), (10, None), False, None, False),
    ],
)
def test_terms_of_the_process(
    norma: str,
    defesa: tuple[int | None, int | None],
    decisao: tuple[int | None, int | None],
    recurso: tuple[int | None, int | None],
    suspensivo: bool,
    transito: int | None,
    exige: bool,
) -> None:
    (p,) = NORMAS[norma].processos
    assert (p.defesa_dias, p.defesa_dias_uteis) == defesa
    assert (p.decisao_dias, p.decisao_dias_uteis) == decisao
    assert (p.recurso_dias, p.recurso_dias_uteis) == recurso
    assert (p.recurso_suspensivo, p.transito_dias, p.exige_vence_em) == (suspensivo, transito, exige)


def _age(norma: Norm, servico: str | None, lugares: int = 20) -> list[tuple[int, tuple[str, ...], str]]:
    return [
        (r.anos, r.conta_de, r.vencida)
        for r in norma.idades_maximas
        if (r.servicos is None or servico in r.servicos)
        and (r.servicos_exceto is None or servico not in r.servicos_exceto)
        and (r.lugares_min is None or lugares >= r.lugares_min)
        and (r.lugares_max is None or lugares <= r.lugares_max)
    ]


def test_age_limits_one_rule_for_each_vehicle() -> None:
    uso = ("primeiro_uso_em", "ano_fabricacao")
    assert _age(NORMAS["825/2021"], "individual") == [(6, ("ano_fabricacao",), "violacao")]
    for servico in (None, "urbano", "municipal", "industrial", "especial", "escolar", "individual", "turistico"):
        assert _age(NORMAS["1854/1999"], servico) == [(15, uso, "violacao")]
    assert _age(NORMAS["1854/1999"], "rodoviario") == [(20, uso, "violacao")]
    for lugares, anos in ((12, 5), (13, 7)):
        assert _age(NORMAS["30258/1983"], None, lugares) == [(anos, ("nota_fiscal_em",), "para_decisao")]
    assert all(r.tracao_exceto == ("eletrica", "via_fixa") for r in NORMAS["30258/1983"].idades_maximas)
    assert not NORMAS["408/2009"].idades_maximas and not NORMAS["1343/1994"].idades_maximas


def test_points_of_825() -> None:
    (p,) = NORMAS["825/2021"].pontuacoes
    assert [(x.meses, x.pontos) for x in p.limite] == [(4, 12), (8, 18), (12, 22)]
    assert (p.reincidencia_meses, p.reincidencia_fator, p.ato_que_zera) == (12, 2, "cassacao")


def test_which_norm_has_which_of_the_seven() -> None:
    quem = {
        "alvara_vencido": set(NORMAS),
        "renovacao_pre_detran": {"408/2009"},
        "veiculo_acima_da_idade": {"825/2021", "1854/1999", "30258/1983"},
        "declaracao_substituicao": {"825/2021"},
        "substituicao_vencida": {"825/2021"},
        "multa_vencida": set(NORMAS),
        "pontos_cassacao": {"825/2021"},
    }
    for check_id, normas in quem.items():
        assert {n.id for n in NORMAS.values() if n.check(check_id, HOJE)} == normas


def test_effects_of_408_from_its_day() -> None:
    assert NORMAS["408/2009"].header(date(2010, 1, 14)) is None
    assert NORMAS["408/2009"].header(date(2010, 1, 15)) is not None


def test_who_decides_is_named_by_the_norm() -> None:
    for norma in NORMAS.values():
        nomes = {a.autoridade for a in norma.autoridades}
        for versoes in norma.verificacoes.values():
            for v in versoes:
                assert v.competente in nomes, f"{norma.id} {v.verificacao}: {v.competente}"
        assert all(i.competente in nomes for i in norma.idades_maximas)


def test_fees_have_one_key_each() -> None:
    for norma in NORMAS.values():
        chaves = Counter((t.codigo, t.categoria, t.momento) for t in norma.taxas)
        assert max(chaves.values()) == 1
    tvti = [t for t in NORMAS["825/2021"].taxas if t.codigo == "TVTI"]
    assert {t.vigente_de for t in tvti} == {date(2023, 5, 20)}


def test_readings_carry_their_alternative() -> None:
    for norma in NORMAS.values():
        for linha in (*norma.outorgas, *norma.processos, *norma.idades_maximas, *norma.pontuacoes):
            assert linha.e_leitura == bool(linha.alternativa), (norma.id, linha)
