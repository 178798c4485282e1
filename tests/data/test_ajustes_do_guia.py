"""The guide's examples of `[[ajuste]]` load over the product's norms and change what they say they change."""

from __future__ import annotations

import re
import textwrap
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from checks.law.catalogue import load_catalogue
from data.loader import load_norms
from data.model import Norm
from data.overrides import TABELAS

GUIA = (Path(__file__).parents[2] / "docs" / "nova-norma.md").read_text(encoding="utf-8")
SECAO = GUIA.split("## Só mudar um número")[1]
DIA = date(2026, 1, 1)


@pytest.fixture(scope="module")
def normas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Norm]:
    caminho = tmp_path_factory.mktemp("guia") / "ajustes.toml"
    blocos = re.findall(r"(?:^    .*\n)+", SECAO, re.M)
    caminho.write_text("\n".join(textwrap.dedent(b) for b in blocos), encoding="utf-8")
    return {n.id: n for n in load_norms(overrides=caminho, catalogue=load_catalogue())}


def test_every_table_has_an_example_and_a_line(normas: dict[str, Norm]) -> None:
    ajustes = [a for n in normas.values() for a in n.ajustes]
    assert len(ajustes) == SECAO.count("[[ajuste]]") > len(TABELAS)
    assert {a.tabela for a in ajustes} - {None} == set(TABELAS)
    linhas = dict(re.findall(r"^\| (?!o quê)[^|]+ \| `(\w+)` \| ([^|]+) \|", SECAO, re.M))
    assert {t: c.startswith("não tem") for t, c in linhas.items()} == {t: not a.chave for t, a in TABELAS.items()}


def test_each_example_holds_from_its_day_on(normas: dict[str, Norm]) -> None:
    n, vespera = normas["825/2021"], DIA - timedelta(days=1)

    def now(linhas: tuple, dia: date = DIA):  # type: ignore[no-untyped-def]
        return [x for x in linhas if x.in_force(dia)]

    assert [[i.anos for i in now(n.idades_maximas, d)] for d in (vespera, DIA)] == [[6], [8]]
    assert [(o.quantidade, o.unidade) for o in now(n.outorgas) if o.modalidade == "permissao"] == [(2, "anos")]
    assert [[p.defesa_dias for p in now(n.processos, d)] for d in (vespera, DIA)] == [[15], [20]]
    assert [{x.meses: x.pontos for x in p.limite}[12] for p in now(n.pontuacoes)] == [24]
    assert [p.reincidencia_meses for p in now(n.pontuacoes)] == [6]
    assert [i.valor for i in now(n.infracoes) if i.codigo == "26-I"] == [60]
    taxas = [
        t.valor for t in now(n.taxas) if (t.codigo, t.categoria, t.momento) == ("TVTI", "motocicleta", "primeiro_ano")
    ]
    assert taxas == [Decimal("12.50")]
    assert [a.autoridade for a in now(n.autoridades) if a.ato == "receber e decidir defesa"] == [
        "Comissão de Defesa Prévia"
    ]
    cabecalho, pontos = n.header(DIA), n.check("pontos_cassacao", DIA)
    assert cabecalho is not None and cabecalho.mes_sem_dia == "ultimo_dia"
    assert pontos is not None and pontos.competente == "Prefeito"
    minima = normas["408/2009"].check("idade_minima", DIA)
    assert minima is not None and minima.regras[0].parametros["anos"] == 20
    vistoria = normas["1343/1994"].check("vistoria_vencida", DIA)
    assert vistoria is not None
    assert (vistoria.parametros["validade"], vistoria.parametros["unidade"]) == (6, "meses")
