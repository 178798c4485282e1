"""A small made-up norm, written to a folder, for tests to break in one place at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import NormError
from data.loader import load_norms
from data.model import Norm

NORMA = """\
[norma]
id = "77/2020"
nome = "Lei nº 77/2020, de Exemplo"
apelido = "Ônibus"
municipio = "Exemplo"
uf = "BA"
orgao = "Secretaria"
vigente_de = 2020-02-01
mes_sem_dia = "dia_seguinte"
unidades = ["UFE"]

[[outorga]]
modalidade = "concessao"
quantidade = 5
unidade = "anos"
dispositivo = "art. 3º"
vigente_de = 2020-02-01

[[processo]]
dispositivo = "art. 9º"
vigente_de = 2020-02-01
defesa_dias = 15

[[idade_maxima]]
ordem = 1
dispositivo = "art. 5º"
vigente_de = 2020-02-01
anos = 10
conta_de = ["ano_fabricacao"]
vencida = "violacao"
consequencia = "retencao"
competente = "Secretário"

[[pontuacao]]
dispositivo = "art. 8º"
vigente_de = 2020-02-01
reincidencia_meses = 12
reincidencia_fator = 2
ato_que_zera = "cassacao"
[[pontuacao.limite]]
meses = 6
pontos = 10
"""

PERMISSOES = """\
[[verificacao.alvara_vencido]]
dispositivo = "art. 3º"
vigente_de = 2020-02-01
consequencia = "regularizacao"
competente = "Secretário"
regularizar = "Renove."
cadeia = ["permissionario_id"]
aviso_dias = 30

[[verificacao.vistoria_vencida]]
dispositivo = "art. 4º"
vigente_de = 2020-02-01
consequencia = "retencao"
competente = "Secretário"
regularizar = "Faça a vistoria."
[[verificacao.vistoria_vencida.regra]]
servico = "urbano"
meses = 6
[[verificacao.vistoria_vencida.regra]]
servico = "escolar"
meses = 2
dispositivo = "art. 4º, § 1º"
"""

INFRACOES = """\
codigo;dispositivo;descricao;grupo;unidade;valor;pontos;sujeito;legivel;vigente_de;vigente_ate;observacao
A-1;art. 7º, I;Atrasar a partida;A;UFE;10;1;operador;sim;2020-02-01;;
A-2;art. 7º, II;Valor borrado;A;UFE;;1;operador;nao;2020-02-01;;
"""


def write_norm(pasta: Path, **textos: str) -> Path:
    """Writes the norm under `pasta`/77-2020 and returns `pasta`; `norma`, `permissoes`, `infracoes` replace texts."""
    norma = pasta / "77-2020"
    (norma / "verificacoes").mkdir(parents=True, exist_ok=True)
    (norma / "norma.toml").write_text(textos.get("norma", NORMA), encoding="utf-8")
    (norma / "infracoes.csv").write_text(textos.get("infracoes", INFRACOES), encoding="utf-8")
    permissoes = textos.get("permissoes", PERMISSOES)
    (norma / "verificacoes" / "permissoes.toml").write_text(permissoes, encoding="utf-8")
    return pasta


def load_one(pasta: Path, overrides: Path | None = None, **textos: str) -> Norm:
    """The norm of `write_norm`, loaded."""
    (norma,) = load_norms(write_norm(pasta, **textos), overrides=overrides)
    return norma


def line_of(texto: str, trecho: str) -> int:
    """The line of the first occurrence."""
    return texto[: texto.index(trecho)].count("\n") + 1


def problems(pasta: Path, overrides: Path | None = None, **textos: str) -> list[tuple[str, int, str]]:
    """What the loader says is wrong: (file name, line, message)."""
    with pytest.raises(NormError) as erro:
        load_norms(write_norm(pasta, **textos), overrides=overrides)
    return [(Path(p.arquivo).name, p.linha, p.mensagem) for p in erro.value.problemas]
