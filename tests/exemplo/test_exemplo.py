"""The made-up municipality: complete, deterministic, valid and dirty where it means to be."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from checks.extracts.contracts import contracts
from data.exemplo import documentos, generate
from data.exemplo.dialetos import DIALECTS
from data.exemplo.noites import as_known
from data.exemplo.tabelas import easter

AS_OF = generate.AS_OF


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[date, Path]]:
    return generate.three_nights(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def world() -> generate.Registry:
    return generate.registry()


def text_of(path: Path, extract: str) -> list[list[str]]:
    d = DIALECTS.get(extract)
    lines = path.read_bytes().decode(d.encoding if d else "utf-8").splitlines()
    return [line.split(d.separator if d else ";") for line in lines]


def test_every_extract_of_the_contract_is_there_each_night(nights: list[tuple[date, Path]]) -> None:
    assert [n for n, _ in nights] == [AS_OF - timedelta(2), AS_OF - timedelta(1), AS_OF]
    for _, folder in nights:
        found = {re.split(r"[-.]", p.name)[0] for p in folder.iterdir()}
        assert found == set(contracts())


def test_columns_are_columns_of_the_contract(world: generate.Registry) -> None:
    for name, rows in world.items():
        contract = contracts()[name]
        assert set(rows.columns) <= set(contract.names), name
        assert {c.name for c in contract.columns if c.required} <= set(rows.columns), name
        assert rows.height > 0, name


def test_keys_are_unique_before_the_dirt_and_links_hold(world: generate.Registry) -> None:
    for name, rows in world.items():
        key = contracts()[name].key
        assert key is None or rows[key].n_unique() == rows.height, name
    holders = set(world["permissionarios"]["permissionario_id"])
    for name, rows in world.items():
        if "permissionario_id" in rows.columns:
            assert set(rows["permissionario_id"]) <= holders, name
    assert set(world["permissionarios"]["norma"]) == {
        "408/2009",
        "825/2021",
        "1343/1994",
        "1854/1999",
        "30258/1983",
    }


def test_same_seed_same_bytes_other_seed_other_people(tmp_path: Path) -> None:
    first = generate.write_demo(tmp_path / "a", operadores=400)
    again = generate.write_demo(tmp_path / "b", operadores=400)
    other = generate.write_demo(tmp_path / "c", operadores=400, seed=1)
    names = sorted(p.name for p in first.iterdir())
    assert names == sorted(p.name for p in again.iterdir())
    for name in names:
        assert (first / name).read_bytes() == (again / name).read_bytes(), name
    assert (first / "permissionarios.csv").read_bytes() != (other / "permissionarios.csv").read_bytes()


def test_a_night_shows_nothing_later_than_itself(world: generate.Registry) -> None:
    night = AS_OF - timedelta(days=40)
    deadlines = {
        "valido_ate", "licenciamento_vence_em", "seguro_vence_em", "vence_em", "cnh_valida_ate",
        "suspenso_ate", "interrupcao_ate", "valida_ate", "programada_para", "data", "nascido_em",
    }  # fmt: skip
    for name in ("permissionarios", "veiculos", "alvaras", "condutores", "vistorias", "autos", "processos"):
        known = as_known(name, world[name], night)
        assert 0 < known.height < world[name].height, name
        for column, kind in known.schema.items():
            # ciencia_em keeps the day the notice is set for, as the auto prints it.
            if kind in (pl.Date, pl.Datetime) and column not in deadlines | {
                "ciencia_em",
                "cadastro_atualizado_em",
            }:
                late = known.filter(pl.col(column).cast(pl.Date) > night)
                assert late.height == 0, (name, column)
    autos = as_known("autos", world["autos"], night)
    assert autos.filter(pl.col("pago_em").is_null() & pl.col("valor_pago").is_not_null()).height == 0
    assert autos.filter(pl.col("decisao_em").is_null() & pl.col("decisao").is_not_null()).height == 0
    assert autos.filter(pl.col("cancelado_em").is_null() & (pl.col("situacao") == "cancelado")).height == 0


def test_the_registry_moves_from_night_to_night(world: generate.Registry) -> None:
    before, after = AS_OF - timedelta(1), AS_OF
    autos = world["autos"]
    assert autos.filter(pl.col("lavrado_em") == after).height > 0
    paid = [as_known("autos", autos, n)["pago_em"].count() for n in (before, after)]
    assert paid[1] > paid[0]
    permits = [as_known("alvaras", world["alvaras"], n).height for n in (before, after)]
    assert permits[1] > permits[0]
    waivers = [as_known("dispensas", world["dispensas"], n).height for n in (before, after)]
    assert waivers[1] == waivers[0] + 1


def test_the_last_but_one_night_brings_inspections_cut_short(nights: list[tuple[date, Path]]) -> None:
    sizes = [len(text_of(folder / "vistorias.csv", "vistorias")) for _, folder in nights]
    assert sizes[1] < 0.6 * sizes[0]
    assert sizes[2] >= sizes[0]


@pytest.mark.parametrize(
    ("extract", "sample"),
    [
        ("permissionarios.csv", "31/02/2019"),
        ("veiculos.csv", "2214"),
        ("alvaras.csv", "1899-12-30"),
        ("autos-2025.csv", "1.12E+13"),
        ("autos-2026.csv", "R$ -574,00"),
        ("autos-2026.csv", "1,234.56"),
        ("vistorias.csv", "V999998"),
        ("condutores.csv", "2031-01-01"),
    ],
)
def test_the_dirt_is_there(nights: list[tuple[date, Path]], extract: str, sample: str) -> None:
    assert sample.encode() in (nights[-1][1] / extract).read_bytes()


def test_dialects_are_mixed(nights: list[tuple[date, Path]]) -> None:
    folder = nights[-1][1]
    operators = (folder / "permissionarios.csv").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        operators.decode("utf-8")
    assert "João" in operators.decode("cp1252")
    assert (folder / "veiculos.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert b"\t" in (folder / "condutores.csv").read_bytes().splitlines()[0]
    assert (folder / "garantias.xlsx").exists() and (folder / "taxas.parquet").exists()
    assert (folder / "autos-2026.csv").read_bytes().rstrip().splitlines()[-1].startswith(b"TOTAL;")


def cpf_ok(value: str) -> bool:
    digits = [int(c) for c in value]
    for n in (9, 10):
        total = sum(d * w for d, w in zip(digits[:n], range(n + 1, 1, -1), strict=True))
        if (total * 10 % 11) % 10 != digits[n]:
            return False
    return len(digits) == 11 and len(set(digits)) > 1


def cnpj_ok(value: str) -> bool:
    weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
    codes = [ord(c) - 48 for c in value]
    for n in (12, 13):
        rest = sum(c * w for c, w in zip(codes[:n], weights[13 - n :], strict=True)) % 11
        if codes[n] != (0 if rest < 2 else 11 - rest):
            return False
    return len(codes) == 14


def test_documents_and_plates_are_valid_and_plates_differ() -> None:
    rng = np.random.default_rng(7)
    assert all(map(cpf_ok, documentos.cpf(rng, 300)))
    cnpjs = documentos.cnpj(rng, 300, alphanumeric=0.5)
    assert all(map(cnpj_ok, cnpjs)) and any(re.search("[A-Z]", c) for c in cnpjs)
    assert cnpj_ok("12ABC34501DE35") and not cnpj_ok("12ABC34501DE45")  # the Receita's published example
    plates = documentos.plates(rng, 5000)
    assert all(re.fullmatch(r"[A-Z]{3}(-\d{4}|\d[A-J]\d{2})", p) for p in plates)
    canonical = {p if p[3] != "-" else f"{p[:3]}{p[4]}{'ABCDEFGHIJ'[int(p[5])]}{p[6:]}" for p in plates}
    assert len(canonical) == 5000


def test_most_of_the_registry_is_in_order(world: generate.Registry) -> None:
    autos = as_known("autos", world["autos"], AS_OF)
    unpaid = autos.filter(
        pl.col("pago_em").is_null()
        & pl.col("decisao").is_null()
        & (pl.col("situacao") == "ativo")
        & (pl.col("ciencia_em") < AS_OF - timedelta(60))
    )
    assert 0 < unpaid.height < 0.05 * autos.height


def test_easter_of_known_years() -> None:
    assert [easter(y) for y in (2000, 2024, 2025, 2026, 2038)] == [
        date(2000, 4, 23), date(2024, 3, 31), date(2025, 4, 20), date(2026, 4, 5), date(2038, 4, 25),
    ]  # fmt: skip
