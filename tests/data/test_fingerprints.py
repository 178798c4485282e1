"""The fingerprint of a check under a norm: its own rows and those of the tables it reads, and nothing else."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from data.fingerprints import fingerprints
from data.model import Norm
from tests.data.base import INFRACOES, NORMA, PERMISSOES, load_one

HOJE = date(2026, 3, 2)
READS = {
    "alvara_vencido": {"outorgas"},
    "vistoria_vencida": {"processo", "idade_maxima", "infracoes"},
    "de_pontos": {"pontuacao"},
    "de_limites": {"pontuacao_limites"},
}


def changed(um: Norm, outro: Norm, dia: date = HOJE) -> set[str]:
    """The checks whose fingerprints differ."""
    antes, depois = fingerprints(um, READS, dia), fingerprints(outro, READS, dia)
    assert antes.keys() == depois.keys() == READS.keys()
    return {check for check in READS if antes[check] != depois[check]}


@pytest.mark.parametrize(
    ("antes", "depois", "mudam"),
    [
        ("aviso_dias = 30", "aviso_dias = 31", {"alvara_vencido"}),
        ('competente = "Secretário"', 'competente = "Prefeito"', {"alvara_vencido"}),
        ("meses = 2", "meses = 3", {"vistoria_vencida"}),
        ('regularizar = "Renove."', 'regularizar = "Renove logo."', set()),
    ],
)
def test_follows_its_own_block(tmp_path: Path, antes: str, depois: str, mudam: set[str]) -> None:
    texto = PERMISSOES.replace(antes, depois, 1)
    assert texto != PERMISSOES
    um, outro = load_one(tmp_path), load_one(tmp_path, permissoes=texto)
    assert changed(um, outro) == mudam
    assert um.hash != outro.hash


@pytest.mark.parametrize(
    ("antes", "depois", "mudam"),
    [
        ("quantidade = 5", "quantidade = 6", {"alvara_vencido"}),
        ("defesa_dias = 15", "defesa_dias = 14", {"vistoria_vencida"}),
        ("anos = 10", "anos = 11", {"vistoria_vencida"}),
        ("reincidencia_fator = 2", "reincidencia_fator = 3", {"de_pontos"}),
        ("pontos = 10", "pontos = 11", {"de_limites"}),
        ('mes_sem_dia = "dia_seguinte"', 'mes_sem_dia = "ultimo_dia"', set(READS)),
        ('apelido = "Ônibus"', 'apelido = "Vans"', set()),
    ],
)
def test_follows_the_tables_it_reads(tmp_path: Path, antes: str, depois: str, mudam: set[str]) -> None:
    texto = NORMA.replace(antes, depois)
    assert texto != NORMA
    assert changed(load_one(tmp_path), load_one(tmp_path, norma=texto)) == mudam


def test_follows_amounts_and_not_descriptions(tmp_path: Path) -> None:
    um = load_one(tmp_path)
    assert changed(um, load_one(tmp_path, infracoes=INFRACOES.replace(";10;1;", ";11;1;"))) == {"vistoria_vencida"}
    outro = load_one(tmp_path, infracoes=INFRACOES.replace("Atrasar a partida", "Partir tarde"))
    assert um.hash != outro.hash
    assert changed(um, outro) == set()


def test_sees_what_is_in_force_that_day(tmp_path: Path) -> None:
    futura = PERMISSOES.replace("aviso_dias = 30", "aviso_dias = 30\nvigente_ate = 2026-12-31")
    nova = "\n" + PERMISSOES.split("\n\n")[0].replace("2020-02-01", "2027-01-01").replace("30", "60") + "\n"
    um, outro = load_one(tmp_path), load_one(tmp_path, permissoes=futura + nova)
    assert changed(um, outro, date(2026, 12, 31)) == set()
    assert changed(um, outro, date(2027, 1, 1)) == {"alvara_vencido"}
