"""A municipality's own values: dated, grounded, validated like ours, kept in the norm."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from data.errors import NormError
from data.fingerprints import fingerprints
from data.loader import load_norms
from data.tables import register_norms
from tests.data.base import line_of, load_one, problems, write_norm

ATO = 'vigente_de = 2022-03-01\nato = "Decreto 5/2022"\nmotivo = "fixa o prazo"\n'


def ajuste(corpo: str, ato: str = ATO) -> str:
    return f'[[ajuste]]\nnorma = "77/2020"\n{corpo}\n{ato}'


def write(pasta: Path, *ajustes: str) -> Path:
    caminho = pasta / "ajustes.toml"
    caminho.write_text("\n".join(ajustes), encoding="utf-8")
    return caminho


def test_changes_from_its_day_on(tmp_path: Path) -> None:
    texto = ajuste('tabela = "outorga"\nchave = "concessao"\nparametro = "quantidade"\nvalor = 8')
    norma = load_one(tmp_path, write(tmp_path, texto))
    por_dia = {
        dia: [o.quantidade for o in norma.outorgas if o.in_force(dia)]
        for dia in (date(2020, 1, 31), date(2020, 2, 1), date(2022, 2, 28), date(2022, 3, 1), date(2030, 1, 1))
    }
    assert list(por_dia.values()) == [[], [5], [5], [8], [8]]
    assert [(a.parametro, a.valor, a.ato) for a in norma.ajustes] == [("quantidade", 8, "Decreto 5/2022")]


def test_ends_on_its_day(tmp_path: Path) -> None:
    ato = ATO + "vigente_ate = 2022-12-31\n"
    texto = ajuste('verificacao = "alvara_vencido"\nparametro = "aviso_dias"\nvalor = 45', ato)
    norma = load_one(tmp_path, write(tmp_path, texto))
    dias = (date(2022, 2, 28), date(2022, 3, 1), date(2022, 12, 31), date(2023, 1, 1))
    avisos = [v.aviso_dias for dia in dias if (v := norma.check("alvara_vencido", dia))]
    assert avisos == [30, 45, 45, 30]


def test_rule_row_points_and_header(tmp_path: Path) -> None:
    norma = load_one(
        tmp_path,
        write(
            tmp_path,
            ajuste('verificacao = "vistoria_vencida"\nchave = 2\nparametro = "meses"\nvalor = 3'),
            ajuste('tabela = "pontuacao_limite"\nchave = 6\nparametro = "pontos"\nvalor = 12'),
            ajuste('tabela = "norma"\nparametro = "mes_sem_dia"\nvalor = "ultimo_dia"'),
        ),
    )
    dia = date(2022, 3, 1)
    vistoria, cabecalho = norma.check("vistoria_vencida", dia), norma.header(dia)
    assert vistoria is not None
    assert [r.parametros["meses"] for r in vistoria.regras] == [6, 3]
    assert [x.pontos for p in norma.pontuacoes if p.in_force(dia) for x in p.limite] == [12]
    assert cabecalho is not None and cabecalho.mes_sem_dia == "ultimo_dia"
    assert norma.vigente_de == date(2020, 2, 1)


def test_settles_an_unreadable_amount_only_from_its_day(tmp_path: Path) -> None:
    texto = ajuste('tabela = "infracoes"\nchave = "A-2"\nparametro = "valor"\nvalor = 7.5')
    norma = load_one(tmp_path, write(tmp_path, texto))
    linhas = [(i.vigente_de, i.valor, i.legivel) for i in norma.infracoes if i.codigo == "A-2"]
    assert linhas == [
        (date(2020, 2, 1), None, "nao"),
        (date(2022, 3, 1), Decimal("7.5"), "sim"),
    ]


def test_shown_and_registered(tmp_path: Path) -> None:
    texto = ajuste('tabela = "processo"\nparametro = "defesa_dias"\nvalor = 20')
    norma = load_one(tmp_path, write(tmp_path, texto))
    with duckdb.connect() as con:
        for dia, esperado in ((date(2022, 2, 28), []), (date(2022, 3, 1), [("processo", "20", "Decreto 5/2022")])):
            register_norms(con, [norma], dia)
            assert con.execute("select tabela, valor, ato from norma.ajustes").fetchall() == esperado
            prazo = con.execute("select defesa_dias from norma.processo").fetchall()
            assert prazo == [(20 if esperado else 15,)]


def test_hash_changes_only_where_it_matters(tmp_path: Path) -> None:
    nossa = load_one(tmp_path)
    texto = ajuste('verificacao = "alvara_vencido"\nparametro = "aviso_dias"\nvalor = 45')
    deles = load_one(tmp_path, write(tmp_path, texto))
    assert nossa.hash != deles.hash
    reads = {"alvara_vencido": {"outorgas"}, "vistoria_vencida": {"outorgas"}}
    for dia, mudam in ((date(2022, 2, 28), set()), (date(2022, 3, 1), {"alvara_vencido"})):
        antes, depois = fingerprints(nossa, reads, dia), fingerprints(deles, reads, dia)
        assert {check for check in reads if antes[check] != depois[check]} == mudam


OUTORGA = 'tabela = "outorga"\nchave = "concessao"\n'


@pytest.mark.parametrize(
    ("texto", "trecho", "mensagem"),
    [
        (ajuste(OUTORGA + 'parametro = "quantidade"\nvalor = "oito"'), "valor", "deve ser um número inteiro"),
        (ajuste(OUTORGA + 'parametro = "unidade"\nvalor = "fim_do_ano"'), "valor", "`quantidade` acompanha"),
        (ajuste(OUTORGA + 'parametro = "quantia"\nvalor = 8'), "parametro", "`outorga` não tem o parâmetro `quantia`"),
        (ajuste(OUTORGA + 'parametro = "vigente_de"\nvalor = 8'), "parametro", "não pode ser ajustado"),
        (ajuste(OUTORGA + 'parametro = "quantidade"\nvalor = 8', ATO.replace('ato = "Decreto 5/2022"\n', "")), "[[ajuste", "`ato`: falta"),
        (ajuste('tabela = "outorga"\nparametro = "unidade"\nvalor = "dias"'), "[[ajuste", "pede `chave` (modalidade); nesta norma: concessao"),
        (ajuste('tabela = "outorga"\nchave = "alvara"\nparametro = "unidade"\nvalor = "dias"'), "chave", "em vigor nestas datas; há: concessao"),
        (ajuste('verificacao = "vistoria_vencida"\nchave = 7\nparametro = "meses"\nvalor = 1'), "chave", "há: 1, 2"),
        (ajuste('verificacao = "vistoria_vencid"\nparametro = "x"\nvalor = 1'), "verificacao", "seria `vistoria_vencida`"),
        (ajuste('tabela = "processo"\nparametro = "anos"\nvalor = 1'), "parametro", "`anos` fica em tabela = 'idade_maxima'"),
        (ajuste('tabela = "processo"\nchave = "x"\nparametro = "defesa_dias"\nvalor = 1'), "chave", "não tem `chave`"),
        (ajuste('tabela = "multas"\nparametro = "x"\nvalor = 1'), "tabela", "tabela 'multas' desconhecida"),
        (ajuste('verificacao = "nenhuma"\nparametro = "x"\nvalor = 1'), "verificacao", "não tem nenhuma"),
        (ajuste('verificacao = "alvara_vencido"\ntabela = "outorga"\nparametro = "x"\nvalor = 1'), "norma", "uma das duas"),
        (ajuste('tabela = "processo"\nparametro = "defesa_dias"\nvalor = 1').replace("77/", "78/"), "norma", "desconhecida"),
        (ajuste('tabela = "processo"\nparametro = "defesa_dias"\nvalor = 1', ATO + "vigente_ate = 2021-01-01\n"),
         "vigente_ate", "vem antes"),
        (ajuste('tabela = "processo"\nparametro = "defesa_dias"\nvalor = 1', ATO + "obs = 1\n"), "obs", "desconhecido"),
        ("[[ajustes]]\n", "[[ajustes", "use [[ajuste]]"),
        ("[[ajuste]]\nnorma = 77/2020\n", "norma", "TOML inválido, coluna 11: sobra texto depois do valor"),
        ("[[ajuste]]\nnorma = \"77/2020\n", "norma", "TOML inválido, coluna 17: falta fechar as aspas"),
        ("[[ajuste]]\nnorma\n", "norma", "TOML inválido, coluna 6: falta o sinal de igual"),
        ("[[ajuste]]\nvalor = ", "valor", "falta o valor depois do igual"),
        ("[[ajuste]\n", "[[ajuste", "falta fechar os colchetes duplos"),
    ],
)  # fmt: skip
def test_errors(tmp_path: Path, texto: str, trecho: str, mensagem: str) -> None:
    achados = problems(tmp_path, write(tmp_path, texto))
    assert [(a, n) for a, n, _ in achados] == [("ajustes.toml", line_of(texto, trecho))]
    assert mensagem in achados[0][2]


def test_two_acts_for_the_same_days(tmp_path: Path) -> None:
    um = ajuste('tabela = "processo"\nparametro = "defesa_dias"\nvalor = 20')
    achados = problems(tmp_path, write(tmp_path, um, um.replace("valor = 20", "valor = 25")))
    assert len(achados) == 1 and "repete a vigência do ajuste da linha 1" in achados[0][2]


def test_a_wrong_parameter_of_a_check_is_told_with_those_there_are(tmp_path: Path) -> None:
    from checks.law.catalogue import load_catalogue

    textos = [
        ajuste('verificacao = "vistoria_vencida"\nparametro = "anos"\nvalor = 8'),
        ajuste('verificacao = "alvara_vencido"\nparametro = "avisar_dias"\nvalor = 8'),
    ]
    with pytest.raises(NormError) as erro:
        load_norms(write_norm(tmp_path), write(tmp_path, *textos), load_catalogue())
    achados = {p.linha: p.mensagem for p in erro.value.problemas if Path(p.arquivo).name == "ajustes.toml"}
    assert set(achados) == {4, 13}
    assert "`anos` fica em tabela = 'idade_maxima'. Os dela são: " in achados[4] and "validade" in achados[4]
    assert "`alvara_vencido` não tem o parâmetro `avisar_dias`" in achados[13] and "aviso_dias" in achados[13]
