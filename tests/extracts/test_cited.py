"""Whom the rejected rows speak of, and what it says to those that point at them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from checks.extracts.ingest import Limits, RawStore
from tests.extracts.base import VEHICLES, load, put, rows

ALL = Limits(Decimal(1), 1000, Decimal(1))
SAID = "SELECT extrato, linha, coluna, tipo, id FROM extrato.sujeitos_rejeitados ORDER BY ALL"
WARNED = "SELECT linha, motivo FROM extrato.rejeitos WHERE extrato = ? AND starts_with(motivo, 'vínculo') ORDER BY ALL"


def test_every_subject_of_a_rejected_row_is_kept(tmp_path: Path) -> None:
    folder = put(
        tmp_path,
        veiculos=VEHICLES + "V4;P1;abc1d23;onibus;ontem\n",
        vistorias="vistoria_id;placa;resultado\nS1;ABC-1234;quem sabe\nS1;ABC1234;aprovada\n",
        alvaras="alvara_id;permissionario_id;veiculo_id;linha_id;modalidade;emitido_em\n"
        "A1;P1;V1;L1;permissao;31/02/2026\nA2;P1;V2;;permissao;01/02/2026\n",
        dispensas="dispensa_id;sujeito_tipo;sujeito_id;processo;autoridade;motivo;valida_de;valida_ate\nD1;veiculo;V1;12;Juiz;x;31/02/2026;01/01/2027\n",
    )
    con, _ = load(folder, limits=ALL)
    assert rows(con, SAID) == [
        ("alvaras", 2, "alvara_id", "alvara", "A1"),
        ("alvaras", 2, "linha_id", "linha", "L1"),
        ("alvaras", 2, "permissionario_id", "permissionario", "P1"),
        ("alvaras", 2, "veiculo_id", "veiculo", "V1"),
        ("dispensas", 2, "sujeito_id", "veiculo", "V1"),
        ("veiculos", 5, "permissionario_id", "permissionario", "P1"),
        ("veiculos", 5, "placa", "placa", "ABC1D23"),
        ("veiculos", 5, "veiculo_id", "veiculo", "V4"),
        ("vistorias", 2, "placa", "placa", "ABC1C34"),
        ("vistorias", 3, "placa", "placa", "ABC1C34"),
    ]


def test_an_extract_refused_whole_speaks_of_nobody(tmp_path: Path) -> None:
    folder = put(tmp_path, veiculos=VEHICLES + "V4;P1;ABC1D23;onibus;ontem\n")
    con, _ = load(folder, limits=Limits(Decimal(0), 1, Decimal(1)))
    assert rows(con, SAID) == []


def test_a_key_that_was_rejected_is_not_said_to_be_missing(tmp_path: Path) -> None:
    folder = put(
        tmp_path,
        veiculos=VEHICLES + "V4;P1;GHI1234;onibus;ontem\nV5;P1;JKL1234;onibus;2020\nV5;P1;JKL1234;onibus;2021\n",
        autos="auto_id;permissionario_id;codigo;ocorrido_em;veiculo_id;placa\n"
        "I1;P1;A;2026-01-01;V4;\nI2;P1;A;2026-01-01;V5;\nI3;P1;A;2026-01-01;V9;\nI4;P1;A;2026-01-01;;GHI1C34\n",
    )
    con, _ = load(folder, limits=ALL)
    said = dict(rows(con, WARNED, "autos"))
    assert said[2] == "vínculo: a linha 5 de veiculos.csv, com essa chave, foi rejeitada: corrija-a em veiculos"
    assert said[3].startswith("vínculo: a linha 6 de veiculos.csv, a linha 7 de veiculos.csv, com essa chave, foram")
    assert "veiculo_id não está em veiculos" in said[4]
    assert "a linha 5 de veiculos.csv" in said[5]


@pytest.mark.parametrize("fixed", [False, True])
def test_a_row_put_right_speaks_no_more(tmp_path: Path, fixed: bool) -> None:
    store = RawStore(tmp_path / "bruto")
    day = "2026-02-28" if fixed else "31/02/2026"
    folder = put(
        tmp_path / "x",
        alvaras=f"alvara_id;permissionario_id;veiculo_id;modalidade;emitido_em\nA1;P1;V1;permissao;{day}\n",
    )
    con, _ = load(folder, store=store, limits=ALL)
    assert bool(rows(con, SAID)) is not fixed
