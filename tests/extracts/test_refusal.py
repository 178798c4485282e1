"""An extract refused as a whole, and the earlier load that takes its place."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from checks.extracts.ingest import IngestError, IngestRequest, IngestResult, Limits, RawStore, fall_back, ingest
from tests.extracts.base import AS_OF, HOLDERS, NORMAS, VEHICLES, autos, carga, load, put, remarks, rows, tally, values

YESTERDAY = AS_OF - timedelta(days=1)


def many(count: int, bad: int = 0, vehicle: str = "V1", plate: str = "") -> str:
    return autos(*(f"A{i};P1;26-I;{'x' if i < bad else '2026-01-05'};{vehicle};{plate};10,00;" for i in range(count)))


def conclude(con: duckdb.DuckDBPyConnection, as_of: date, concluded: bool = True, night: int = 1) -> None:
    """Record the load as the run of that night does at its end."""
    run = f"{as_of}-{night}"
    con.execute("CREATE TABLE IF NOT EXISTS execucao (execucao_id VARCHAR, as_of DATE, concluida_em TIMESTAMP)")
    con.execute(
        "CREATE TABLE IF NOT EXISTS carga AS SELECT '' AS execucao_id, DATE '2000-01-01' AS as_of, * FROM extrato.cargas LIMIT 0"
    )
    con.execute(
        "INSERT INTO execucao VALUES (?, ?, CASE WHEN ? THEN TIMESTAMP '2026-12-01' + to_hours(?) END)",
        [run, as_of, concluded, night],
    )
    con.execute("INSERT INTO carga SELECT ?, ?, * FROM extrato.cargas", [run, as_of])


def night(con: duckdb.DuckDBPyConnection, folder: Path, store: Path, as_of: date, **files: str | bytes) -> IngestResult:
    put(folder / f"{as_of}", permissionarios=HOLDERS, **files)
    _, result = load(folder / f"{as_of}", con, as_of, RawStore(store))
    return result


@pytest.mark.parametrize(
    ("count", "bad", "refused"),
    [(200, 10, False), (200, 11, True), (199, 10, True), (100, 9, False), (10, 9, False), (10, 10, True)],
)
def test_the_share_and_the_number_of_rejected_rows(tmp_path: Path, count: int, bad: int, refused: bool) -> None:
    con, result = load(put(tmp_path, autos=many(count, bad)))
    assert (carga(result).situacao == "recusado") == refused
    assert tally(result) == (count, count - bad, bad, 0, 0)
    assert len(values(con, "SELECT 1 FROM extrato.autos")) == (0 if refused else count - bad)
    assert bool(values(con, "SELECT 1 FROM extrato.colunas WHERE extrato = 'autos'")) != refused
    assert sum(r[2] == "rejeitado" for r in remarks(con)) == bad


def test_the_limits_are_the_callers(tmp_path: Path) -> None:
    limits = Limits(max_rejeitos=Decimal("0.5"), min_rejeitos=3)
    _, result = load(put(tmp_path, autos=many(6, 3)), limits=limits)
    assert carga(result).situacao == "aceito"
    _, result = load(put(tmp_path, autos=many(7, 4)), limits=limits)
    assert carga(result).situacao == "recusado"


def test_the_share_is_of_all_files_of_the_extract(tmp_path: Path) -> None:
    more = many(300).replace("\nA", "\nB")
    _, result = load(put(tmp_path, autos=many(20, 11), autos__b=more))
    assert result.situacao("autos") == "aceito"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("auto_id;permissionario_id;codigo\nA1;P1;26-I\n", "falta a coluna obrigatória ocorrido_em"),
        ("auto_id;permissionario_id;codigo;ocorrido_em\n", "só o cabeçalho"),
        ("auto_id;permissionario_id;codigo;ocorrido_em\n\n\n", "só o cabeçalho"),
        ("", "vazio"),
        ("\n\n", "vazio"),
        ("auto_id;permissionario_id;codigo;ocorrido_em;CODIGO\nA;P1;x;2026-01-01;y\n", "coluna repetida"),
    ],
)
def test_files_that_refuse_the_extract(tmp_path: Path, content: str, why: str) -> None:
    con, result = load(put(tmp_path, autos=content))
    assert carga(result).situacao == "recusado"
    assert why in (carga(result).motivo or "")
    assert any(r[2] == "recusado" and why in r[3] for r in remarks(con))
    assert result.recusados == ("autos",)


def test_one_bad_file_refuses_the_whole_extract(tmp_path: Path) -> None:
    con, result = load(put(tmp_path, autos=many(3), autos__b="auto_id\nA\n"))
    assert {c.situacao for c in result.cargas if c.extrato == "autos"} == {"recusado"}
    assert values(con, "SELECT 1 FROM extrato.autos") == []


def test_yesterdays_load_stays_in_force_marked_stale(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, YESTERDAY, autos=many(100))
    conclude(con, YESTERDAY)
    result = night(con, tmp_path, store, AS_OF, autos=many(100, 20))
    assert [(c.situacao, c.arquivo) for c in result.cargas if c.extrato == "autos"] == [
        ("recusado", "autos.csv"),
        ("defasado", f"autos.csv (carga de {YESTERDAY:%d/%m/%Y})"),
    ]
    assert result.defasados == {"autos": YESTERDAY}
    assert result.situacao("autos") == "defasado"
    assert values(con, "SELECT count(*) FROM extrato.autos") == [100]
    assert values(con, "SELECT count(*) FROM extrato.colunas WHERE extrato = 'autos'") == [8]
    assert sum(r[2] == "rejeitado" for r in remarks(con)) == 20


@pytest.mark.parametrize(("count", "refused"), [(80, False), (79, True), (300, False)])
def test_shrinking(tmp_path: Path, count: int, refused: bool) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, YESTERDAY, autos=many(100))
    conclude(con, YESTERDAY)
    result = night(con, tmp_path, store, AS_OF, autos=many(count))
    assert ("autos" in result.recusados) == refused
    assert values(con, "SELECT count(*) FROM extrato.autos") == [100 if refused else count]


def test_only_concluded_runs_of_the_past_are_looked_at(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, date(2026, 11, 20), autos=many(30))
    conclude(con, date(2026, 11, 20))
    night(con, tmp_path, store, date(2026, 12, 15), autos=many(35))
    conclude(con, date(2026, 12, 15))
    night(con, tmp_path, store, YESTERDAY, autos=many(33))
    conclude(con, YESTERDAY, concluded=False)
    result = night(con, tmp_path, store, AS_OF, autos="")
    assert result.defasados == {"autos": date(2026, 11, 20)}
    assert values(con, "SELECT count(*) FROM extrato.autos") == [30]


def test_a_stale_load_is_never_the_last_accepted_one(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, date(2026, 11, 28), autos=many(30))
    conclude(con, date(2026, 11, 28))
    for day in (date(2026, 11, 29), AS_OF):
        result = night(con, tmp_path, store, day, autos="")
        conclude(con, day)
        assert result.defasados == {"autos": date(2026, 11, 28)}
        assert values(con, "SELECT DISTINCT arquivo FROM extrato.autos") == ["autos.csv (carga de 28/11/2026)"]


def test_a_lost_raw_file_leaves_the_extract_absent(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, YESTERDAY, autos=many(30))
    conclude(con, YESTERDAY)
    sha = values(con, "SELECT sha256 FROM carga WHERE extrato = 'autos'")[0]
    (store / sha[:2] / sha).unlink()
    result = night(con, tmp_path, store, AS_OF, autos="")
    assert result.situacao("autos") == "recusado"
    assert any("acervo bruto" in r[3] for r in remarks(con))


def test_no_holders_no_night(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="não há arquivo permissionarios"):
        ingest(duckdb.connect(), IngestRequest(put(tmp_path, autos=many(3)), AS_OF))
    with pytest.raises(IngestError, match="faltam as colunas obrigatórias norma, nome"):
        load(put(tmp_path / "b", permissionarios="permissionario_id\nP1\n"))
    with pytest.raises(IngestError, match="não existe"):
        ingest(duckdb.connect(), IngestRequest(tmp_path / "nada", AS_OF))


def test_holders_refused_with_an_earlier_load_go_on(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, YESTERDAY, autos=many(3))
    conclude(con, YESTERDAY)
    folder = put(tmp_path / "hoje", permissionarios="permissionario_id\nP1\n", autos=many(3))
    result = ingest(con, IngestRequest(folder, AS_OF, RawStore(store), normas=NORMAS))
    assert result.defasados == {"permissionarios": YESTERDAY}
    assert values(con, "SELECT count(*) FROM extrato.permissionarios") == [2]


def test_the_gate_can_refuse_afterwards(tmp_path: Path) -> None:
    con, store = duckdb.connect(), tmp_path / "bruto"
    night(con, tmp_path, store, YESTERDAY, autos=many(3, vehicle="", plate="ABC1234"), veiculos=VEHICLES)
    conclude(con, YESTERDAY)
    moved = VEHICLES.replace("V1;", "V7;")
    night(con, tmp_path, store, AS_OF, autos=many(4, vehicle="", plate="ABC1234"), veiculos=moved)
    assert values(con, "SELECT DISTINCT veiculo_id FROM extrato.autos") == ["V7"]
    request = IngestRequest(tmp_path / f"{AS_OF}", AS_OF, RawStore(store), normas=NORMAS)
    result = fall_back(con, request, "veiculos", "salto no número de veículos")
    assert values(con, "SELECT DISTINCT veiculo_id FROM extrato.autos") == ["V1"]
    assert result.defasados == {"veiculos": YESTERDAY}
    assert rows(con, "SELECT situacao, motivo FROM extrato.cargas WHERE extrato = 'veiculos' ORDER BY 1 DESC") == [
        ("recusado", "salto no número de veículos"),
        ("defasado", None),
    ]
    again = fall_back(con, request, "veiculos", "salto no número de veículos")
    assert again.defasados == result.defasados and len(again.cargas) == len(result.cargas)
    result = fall_back(con, request, "autos", "autos demais")
    assert values(con, "SELECT count(*) FROM extrato.autos") == [3]
    assert result.defasados == {"veiculos": YESTERDAY, "autos": YESTERDAY}


def test_a_vehicle_list_refused_for_good_takes_its_links_along(tmp_path: Path) -> None:
    con, _ = load(put(tmp_path, veiculos=VEHICLES, autos=many(3, vehicle="", plate="ABC1234")))
    fall_back(con, IngestRequest(tmp_path, AS_OF, normas=NORMAS), "veiculos", "duvidoso")
    assert values(con, "SELECT DISTINCT veiculo_id FROM extrato.autos") == [None]


def test_raw_files_are_kept_once_and_never_changed(tmp_path: Path) -> None:
    store = RawStore(tmp_path / "bruto")
    data = many(3).encode()
    folder = put(tmp_path / "a", autos=data, autos__b=data.replace(b"A", b"B"))
    for _ in range(2):
        _, result = load(folder, store=store)
    hashes = {c.sha256 for c in result.cargas if c.sha256}
    kept = [path for path in store.root.rglob("*") if path.is_file()]
    assert {path.name for path in kept} == hashes and len(kept) == 3
    for path in kept:
        assert path.parent.name == path.name[:2]
        assert path.stat().st_mode & 0o222 == 0
    (sha,) = [c.sha256 for c in result.cargas if c.arquivo == "autos.csv"]
    assert sha and store.path(sha).read_bytes() == data
    assert result.entrada_hash == load(folder)[1].entrada_hash
