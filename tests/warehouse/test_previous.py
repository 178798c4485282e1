"""What counts as the last load: the ledger's runs in force, strictly before the date."""

from datetime import date, timedelta

from checks.warehouse.gate import load_previous, run_gate
from tests.warehouse.base import AUTOS, PERMISSIONARIOS, D, carga, fill, rows


def record(con, as_of, name, situacao="concluida"):
    """What the ledger keeps of a night, as far as the gate asks."""
    con.execute(
        """insert or replace into execucao (execucao_id, ordem, as_of, situacao)
           select $id, 1 + coalesce((select max(ordem) from execucao), 0), $d, $s""",
        {"id": name, "d": as_of, "s": situacao},
    )
    for table, source in (("carga", "extrato.cargas"), ("gate_resultado", "resultado.gate")):
        con.execute(f"delete from {table} where execucao_id = $id", {"id": name})
        con.execute(
            f"insert into {table} by name select $id as execucao_id, $d as as_of, * from {source}",
            {"id": name, "d": as_of},
        )


def night(con, as_of, n, name, situacao_da_noite="concluida", **counts):
    fill(con, "permissionarios", rows(PERMISSIONARIOS, 5))
    fill(con, "autos", rows(AUTOS, n), **counts)
    result = run_gate(con, as_of)
    record(con, as_of, name, situacao_da_noite)
    return result


def test_a_first_night_has_no_past(con):
    assert load_previous(con, D) == {}


def test_the_last_accepted_load_before_the_date_is_the_one_compared_with(con):
    night(con, D - timedelta(days=2), 100, "r1")
    night(con, D - timedelta(days=1), 90, "r2")
    night(con, D, 40, "r3")
    found = load_previous(con, D)["autos"]
    assert (found.as_of, found.linhas, found.carregadas) == (D - timedelta(days=1), 90, 90)
    assert found.mais_novo == date(2026, 11, 29)
    assert load_previous(con, D - timedelta(days=1))["autos"].linhas == 100
    assert load_previous(con, D - timedelta(days=2)) == {}


def test_running_a_date_again_compares_with_the_same_night(con):
    night(con, D - timedelta(days=1), 100, "r1")
    assert "autos" in night(con, D, 40, "r2").recusados
    assert "autos" in night(con, D, 40, "r2").recusados
    assert night(con, D, 100, "r3").recusados == {}


def test_the_run_in_force_of_a_date_is_the_last_one(con):
    night(con, D - timedelta(days=1), 100, "r1")
    night(con, D - timedelta(days=1), 60, "r2")
    assert load_previous(con, D)["autos"].linhas == 60


def test_refused_and_interrupted_nights_do_not_lower_the_bar(con):
    night(con, D - timedelta(days=3), 100, "r1")
    night(con, D - timedelta(days=2), 10, "r2", situacao="recusado")
    night(con, D - timedelta(days=1), 10, "r3", situacao_da_noite="interrompida")
    found = load_previous(con, D)
    assert (found["autos"].linhas, found["autos"].as_of) == (100, D - timedelta(days=3))
    assert found["permissionarios"].as_of == D - timedelta(days=2)


def test_several_files_of_one_extract_are_one_picture(con):
    night(con, D - timedelta(days=1), 100, "r0")
    carga(con, "autos", lidas=70, carregadas=60, duplicadas=5, ignoradas=5)
    con.execute(
        """insert into extrato.cargas (extrato, arquivo, lidas, carregadas, rejeitadas, duplicadas, ignoradas,
           situacao) values ('autos', 'autos-2.csv', 40, 39, 1, 0, 0, 'aceito')"""
    )
    record(con, D - timedelta(days=1), "r1")
    found = load_previous(con, D)["autos"]
    assert (found.linhas, found.carregadas) == (100, 99)
