"""The loader says what is wrong, in which file, on which line, all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from data.errors import NormError
from data.loader import load_norms, validate_parameters
from tests.data.base import INFRACOES, NORMA, PERMISSOES, line_of, load_one, problems, write_norm


@dataclass
class Spec:
    parametros: dict[str, Any] = field(default_factory=dict)
    regra: dict[str, Any] = field(default_factory=dict)


CATALOGO = {
    "alvara_vencido": Spec({"cadeia": "lista[texto]"}),
    "vistoria_vencida": Spec({"dias": "inteiro?"}, {"servico": ["urbano", "escolar"], "meses": "inteiro"}),
}


def test_whole(tmp_path: Path) -> None:
    norma = load_one(tmp_path)
    assert norma.id == "77/2020"
    assert norma.vigente_de == date(2020, 2, 1)
    assert [i.codigo for i in norma.infracoes] == ["A-1", "A-2"]
    vistoria = norma.check("vistoria_vencida", date(2020, 2, 1))
    assert vistoria is not None
    assert [(r.ordem, r.dispositivo, r.parametros) for r in vistoria.regras] == [
        (1, "art. 4º", {"servico": "urbano", "meses": 6}),
        (2, "art. 4º, § 1º", {"servico": "escolar", "meses": 2}),
    ]
    assert norma.check("vistoria_vencida", date(2020, 1, 31)) is None
    assert set(norma.checks(date(2026, 1, 1))) == {"alvara_vencido", "vistoria_vencida"}


@pytest.mark.parametrize(
    ("antes", "depois", "trecho", "mensagem"),
    [
        ('modalidade = "concessao"', 'modalidade = "aluguel"', "modalidade", "'aluguel' não é um de"),
        ('unidade = "anos"', 'unidade = "semanas"', "unidade = ", "'semanas' não é um de"),
        ("quantidade = 5", 'quantidade = "5"', "quantidade", "número inteiro"),
        ("quantidade = 5\n", "", "[[outorga]]", "`quantidade` acompanha"),
        ('dispositivo = "art. 3º"', 'dispositivo = ""', "dispositivo", "não pode ficar vazio"),
        ('dispositivo = "art. 3º"\n', "", "[[outorga]]", "`dispositivo`: falta preencher"),
        ("defesa_dias = 15", "defessa_dias = 15", "defessa_dias", "campo desconhecido"),
        ('consequencia = "retencao"', 'consequencia = "prisao"', "consequencia", "'prisao' não é um de"),
        ('conta_de = ["ano_fabricacao"]', 'conta_de = ["ano"]', "conta_de", "'ano' não é um de"),
        ("pontos = 10", "pontos = 0", "pontos", "deve ser maior que 0"),
        ("pontos = 10", "pontoss = 10", "pontoss", "campo desconhecido"),
        ('mes_sem_dia = "dia_seguinte"', 'mes_sem_dia = "meio"', "mes_sem_dia", "não é um de"),
        ("vigente_de = 2020-02-01\nmes", 'vigente_de = "2020"\nmes', "vigente_de", "uma data AAAA-MM-DD"),
        ("[[idade_maxima]]", "[[idade]]", "[[idade]]", "tabela desconhecida `idade`"),
        ('id = "77/2020"', 'id = "78/2020"', "id = ", "deve chamar-se 78-2020"),
        ("defesa_dias = 15", "defesa_dias = ", "defesa_dias", "TOML inválido"),
    ],
)
def test_norma_toml(tmp_path: Path, antes: str, depois: str, trecho: str, mensagem: str) -> None:
    texto = NORMA.replace(antes, depois, 1)
    assert texto != NORMA
    achados = problems(tmp_path, norma=texto)
    assert ("norma.toml", line_of(texto, trecho)) in [(a, n) for a, n, _ in achados]
    assert any(mensagem in m for _, _, m in achados)


@pytest.mark.parametrize(
    ("antes", "depois", "mensagem"),
    [
        ("A-2;", "A-1;", "`infracoes A-1` repete a vigência de"),
        (";UFE;10;", ";UFX;10;", "unidade 'UFX' desconhecida"),
        (";UFE;10;", ";UFE;dez;", "número decimal"),
        (";10;1;operador", ";10;1;motorista", "não é um de"),
        (";10;1;operador;sim", ";10;1;operador;nao", "há `valor` sem `unidade` ou com `legivel` = nao"),
        ("A;UFE;10", "A;;10", "há `valor` sem `unidade`"),
        ("sim;2020-02-01;;", "sim;2020-02-30;;", "uma data AAAA-MM-DD"),
        ("sim;2020-02-01;;", "sim;2020-02-01;2020-01-31;", "`vigente_ate` vem antes"),
        ("A-1;art. 7º, I;", "A-1;", "esperadas 12 colunas"),
        ("A-1;art. 7º, I;", "A-1;;", "`dispositivo`: falta preencher"),
    ],
)
def test_infracoes_csv(tmp_path: Path, antes: str, depois: str, mensagem: str) -> None:
    texto = INFRACOES.replace(antes, depois, 1)
    assert texto != INFRACOES
    achados = problems(tmp_path, infracoes=texto)
    linha = 3 if antes == "A-2;" else 2
    assert [(a, n) for a, n, _ in achados] == [("infracoes.csv", linha)]
    assert mensagem in achados[0][2]


def test_quoted_newlines_keep_line_numbers(tmp_path: Path) -> None:
    texto = INFRACOES.replace("Atrasar a partida", '"Atrasar\na partida"').replace("A;UFE;;1", "A;UFX;;1")
    assert [(a, n) for a, n, _ in problems(tmp_path, infracoes=texto)] == [("infracoes.csv", 4)]


def test_everything_at_once(tmp_path: Path) -> None:
    achados = problems(
        tmp_path,
        norma=NORMA.replace("quantidade = 5", "quantidade = -5").replace('"art. 9º"', "9"),
        infracoes=INFRACOES.replace(";UFE;10;", ";UFE;dez;"),
        permissoes=PERMISSOES.replace('consequencia = "retencao"', 'consequencia = "nada"'),
    )
    assert [a for a, _, _ in achados] == ["infracoes.csv", "norma.toml", "norma.toml", "permissoes.toml"]


def test_periods_may_touch_and_not_overlap(tmp_path: Path) -> None:
    segunda = '\n[[outorga]]\nmodalidade = "concessao"\nquantidade = 4\nunidade = "anos"\n'
    segunda += 'dispositivo = "Lei 9/2024"\nvigente_de = {}\n'
    fechada = NORMA.replace('dispositivo = "art. 3º"\n', 'dispositivo = "art. 3º"\nvigente_ate = 2024-06-30\n')
    norma = load_one(tmp_path, norma=fechada + segunda.format("2024-07-01"))
    for dia, anos in ((date(2024, 6, 30), 5), (date(2024, 7, 1), 4)):
        assert [o.quantidade for o in norma.outorgas if o.in_force(dia)] == [anos]
    texto = fechada + segunda.format("2024-06-30")
    achados = problems(tmp_path, norma=texto)
    assert len(achados) == 1
    assert achados[0][1] == line_of(texto, "quantidade = 4") - 2
    assert "repete a vigência" in achados[0][2]


def test_families_may_not_repeat_a_check(tmp_path: Path) -> None:
    write_norm(tmp_path)
    outra = tmp_path / "77-2020" / "verificacoes" / "veiculos.toml"
    outra.write_text(PERMISSOES, encoding="utf-8")
    with pytest.raises(NormError, match="repete a vigência"):
        load_norms(tmp_path)
    outra.write_text("[outra]\nx = 1\n", encoding="utf-8")
    with pytest.raises(NormError, match=r"veiculos.toml, linha 1: tabela desconhecida `outra`"):
        load_norms(tmp_path)


def test_same_norm_in_two_roots(tmp_path: Path) -> None:
    um, dois = write_norm(tmp_path / "um"), write_norm(tmp_path / "dois")
    with pytest.raises(NormError, match="a norma 77/2020 já está na pasta"):
        load_norms((um, dois))


def test_unknown_file_and_empty_root(tmp_path: Path) -> None:
    write_norm(tmp_path)
    (tmp_path / "77-2020" / "infracao.csv").write_text("codigo\n", encoding="utf-8")
    with pytest.raises(NormError, match=r"infracao.csv, linha 1: arquivo desconhecido"):
        load_norms(tmp_path)
    vazia = tmp_path / "vazia"
    vazia.mkdir()
    with pytest.raises(NormError, match="nenhuma norma"):
        load_norms(vazia)


def test_parameters(tmp_path: Path) -> None:
    validate_parameters(load_norms(write_norm(tmp_path)), CATALOGO)
    load_norms(tmp_path, catalogue=CATALOGO)


@pytest.mark.parametrize(
    ("antes", "depois", "trecho", "mensagem"),
    [
        ('cadeia = ["permissionario_id"]\n', "", "[[verificacao.alvara", "falta o parâmetro `cadeia`"),
        ('cadeia = ["permissionario_id"]', "cadeia = 3", "cadeia", 'deve ser uma lista ["a", "b"]'),
        ("cadeia", "cadeias", "cadeias", "parâmetro desconhecido `cadeias`"),
        ('servico = "escolar"', 'servico = "taxi"', 'servico = "taxi"', "'taxi' não é um de: urbano, escolar"),
        ("meses = 2", "meses = 2.5", "meses = 2.5", "deve ser um número inteiro"),
        ("meses = 6", "meses = true", "meses = true", "deve ser um número inteiro"),
        ("alvara_vencido", "alvara_vencidos", "[[", "verificação desconhecida `alvara_vencidos`"),
    ],
)
def test_wrong_parameters(tmp_path: Path, antes: str, depois: str, trecho: str, mensagem: str) -> None:
    texto = PERMISSOES.replace(antes, depois, 1)
    assert texto != PERMISSOES
    with pytest.raises(NormError) as erro:
        load_norms(write_norm(tmp_path, permissoes=texto), catalogue=CATALOGO)
    assert line_of(texto, trecho) in [p.linha for p in erro.value.problemas]
    assert mensagem in str(erro.value)


def test_optional_parameter(tmp_path: Path) -> None:
    texto = PERMISSOES.replace('regularizar = "Faça a vistoria."', 'regularizar = "Faça."\ndias = "dez"')
    with pytest.raises(NormError, match="`dias`: deve ser um número inteiro"):
        load_norms(write_norm(tmp_path, permissoes=texto), catalogue=CATALOGO)
