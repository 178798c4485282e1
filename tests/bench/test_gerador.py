"""The bench generator: deterministic, right sizes, and a registry that resembles a real one."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from checks.extracts.contracts import contracts
from data.bench.generate import EXTRACTS, Scale, write_bench

TINY = Scale(1_000, 12_000, "csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bench(tmp_path_factory.mktemp("bench"), TINY)


def rows(folder: Path, sql: str) -> list[tuple]:
    with duckdb.connect() as con:
        for name in EXTRACTS:
            con.execute(f"create view {name} as from read_csv('{folder / name}.csv', delim=';', all_varchar=true)")
        return con.execute(sql).fetchall()


def test_same_arguments_same_bytes_and_a_finished_folder_is_kept(tmp_path: Path, folder: Path) -> None:
    other = write_bench(tmp_path, TINY)
    for name in EXTRACTS:
        assert (other / f"{name}.csv").read_bytes() == (folder / f"{name}.csv").read_bytes(), name
    (other / "autos.csv").write_text("kept")
    assert write_bench(tmp_path, TINY) == other and (other / "autos.csv").read_text() == "kept"


def test_columns_belong_to_the_contract(folder: Path) -> None:
    for name in EXTRACTS:
        header = (folder / f"{name}.csv").open().readline().strip().split(";")
        contract = contracts()[name]
        assert set(header) <= set(contract.names), name
        assert {c.name for c in contract.columns if c.required} <= set(header), name


def test_sizes_keys_and_links(folder: Path) -> None:
    assert rows(folder, "select count(*), count(distinct permissionario_id) from permissionarios") == [(1000, 1000)]
    assert rows(folder, "select count(*), count(distinct auto_id) from autos") == [(12000, 12000)]
    assert rows(folder, "select count(*) from autos anti join permissionarios using (permissionario_id)") == [(0,)]
    assert rows(folder, "select count(*) from autos anti join veiculos using (veiculo_id)") == [(0,)]
    assert rows(
        folder,
        "select count(*) from (from autos where condutor_id is not null) anti join condutores using (condutor_id)",
    ) == [(0,)]
    assert rows(
        folder,
        "select count(*) from permissionarios"
        " where not regexp_full_match(documento, case tipo_pessoa when 'PJ' then '\\d{14}' else '\\d{11}' end)",
    ) == [(0,)]
    for name in ("vistorias", "taxas", "operacao", "condutores"):
        lost = f"(from {name} where veiculo_id is not null) anti join veiculos using (veiculo_id)"
        assert rows(folder, f"select count(*) from {lost}") == [(0,)], name


def test_five_norms_mototaxi_first_and_equal_instants(folder: Path) -> None:
    shares = dict(
        rows(
            folder,
            "select norma, count(*) / 12000 from autos join permissionarios using (permissionario_id) group by 1",
        )
    )
    assert len(shares) == 5 and shares["825/2021"] == pytest.approx(0.40, abs=0.02)
    twins = rows(
        folder,
        "select count(*) from (select 1 from autos"
        " group by permissionario_id, codigo, ocorrido_em having count(*) > 1)",
    )
    assert twins[0][0] > 20


def test_history_is_mostly_settled(folder: Path) -> None:
    settled = (
        "pago_em is not null or coalesce(decisao = 'improcedente', false)"
        " or coalesce(decisao_recurso = 'provido', false) or situacao = 'cancelado'"
    )
    share = rows(folder, f"select avg(({settled})::int) from autos")[0][0]
    assert 0.9 < share < 0.99


def test_parquet_holds_the_same_rows(tmp_path: Path, folder: Path) -> None:
    other = write_bench(tmp_path, TINY, fmt="parquet")
    with duckdb.connect() as con:
        pq = con.execute(
            f"select auto_id, codigo, valor::varchar, pago_em::varchar from '{other / 'autos.parquet'}'"
        ).fetchall()
    assert pq == rows(folder, "select auto_id, codigo, valor, pago_em from autos")
