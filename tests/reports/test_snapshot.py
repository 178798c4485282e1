"""The published copy: opened by another process while the warehouse is in use, whole, without CPFs."""

import subprocess
import sys

import duckdb
import pytest

from reports.snapshot import publish_snapshot
from tests.ledger.base import Row, new_warehouse, night

CASSACAO = Row("P1", verificacao="pontos_cassacao", sujeito_tipo="permissionario")


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    connection.execute(
        """
        create schema registro; create schema fatos; create schema norma; create schema calendario;
        create table norma.normas as select '408/2009' as norma, 'Lei 408' as nome;
        create table calendario.dias as select '408/2009' as norma, unnest([date '2019-12-31', date '2020-01-01',
            date '2028-12-31', date '2029-01-01']) as dia, true as util;
        create table calendario.feriados as select '408/2009' as norma, date '2026-01-01' as dia, 'Ano' as nome;
        create table registro.permissionarios as
            select * from (values ('P1', 'Ana', '12345678901', 'a@b', '71 9', 'Rua 1'),
                                  ('P2', 'Empresa', '12ABC34501DE35', null, null, null),
                                  ('P3', 'Bia', '123.456.789-01', null, null, null),
                                  ('P4', 'Caio', '1234567890', null, null, null),
                                  ('P5', 'Davi', null, null, null, null))
            t(permissionario_id, nome, documento, email, telefone, endereco);
        create table registro.veiculos as select 'V1' as veiculo_id, '98765432100' as proprietario_documento;
        create table registro.alvaras as select 'A1' as alvara_id;
        create or replace table extrato.condutores as
            select 'C1' as condutor_id, 'P1' as permissionario_id, '11122233344' as documento, date '1990-01-01' as nascido_em;
        create or replace table extrato.autos as
            select 'AUTO1' as auto_id, 'P1' as permissionario_id, 'rua' as local
            union all select 'AUTO2', 'P2', 'rua';
        create table fatos.autos as
            select 'AUTO1' as auto_id, 'P1' as permissionario_id, 'confirmado' as estado_auto
            union all select 'AUTO2', 'P2', 'confirmado';
        create table extrato.processos as select 'PR1' as processo_id, 'P1' as permissionario_id
            union all select 'PR2', 'P2';
        """
    )
    yield connection
    connection.close()


def cassar(con):
    con.execute("update achados_historico set consequencia = 'cassacao' where verificacao = 'pontos_cassacao'")


def test_another_process_reads_it_while_the_warehouse_is_open(con, tmp_path):
    night(con, 1, [Row("A1"), Row("A2")])
    night(con, 2, [Row("A1")])
    path = publish_snapshot(con, tmp_path / "w.duckdb")
    assert path == tmp_path / "w.publicado.duckdb"
    code = (
        f"import duckdb; c = duckdb.connect({str(path)!r}, read_only=True);"
        "print(c.execute('select count(*), (select count(*) from encerrados), (select count(*) from"
        " execucao),"
        " (select versao from schema_versao), (select sum(quantidade) from resumo_diario) from"
        " achados').fetchall())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[(1, 1, 2, 1, 3)]"
    assert [p.name for p in tmp_path.iterdir() if "publicado" in p.name] == ["w.publicado.duckdb"]


def test_no_cpf_and_no_contacts(con, tmp_path):
    night(con, 1, [])
    with duckdb.connect(str(publish_snapshot(con, tmp_path / "w.duckdb")), read_only=True) as copy:
        documents = dict(copy.execute("select permissionario_id, documento from permissionarios").fetchall())
        assert documents == {
            "P1": "***.456.789-**", "P2": "12ABC34501DE35", "P3": "***.456.789-**", "P4": "***", "P5": None
        }  # fmt: skip
        assert copy.execute("from veiculos").fetchall() == [("V1", "***.654.321-**")]
        assert copy.execute("from condutores").fetchall() == [("C1", "P1", "***.222.333-**")]
        names = {n for (n,) in copy.execute("select column_name from information_schema.columns").fetchall()}
        assert not names & {"email", "telefone", "endereco", "nascido_em"}


def test_autos_only_of_those_who_may_be_cassados(con, tmp_path):
    night(con, 1, [CASSACAO, Row("A1")])
    cassar(con)
    with duckdb.connect(str(publish_snapshot(con, tmp_path / "w.duckdb")), read_only=True) as copy:
        assert copy.execute("from autos").fetchall() == [("AUTO1", "P1", "confirmado", "rua")]
        assert copy.execute("from processos").fetchall() == [("PR1", "P1")]


def test_only_runs_in_force_are_counted(con, tmp_path):
    night(con, 1, [Row("A1"), Row("A2")], run_id="wrong")
    night(con, 1, [Row("A1")], run_id="right")
    with duckdb.connect(str(publish_snapshot(con, tmp_path / "w.duckdb")), read_only=True) as copy:
        assert copy.execute("select sum(quantidade), sum(novos) from resumo_diario").fetchall() == [(1, 1)]
        assert copy.execute("select execucao_id, vigente from execucao order by ordem").fetchall() == [
            ("wrong", False), ("right", True)
        ]  # fmt: skip


def test_a_reader_of_the_old_copy_goes_on(con, tmp_path):
    night(con, 1, [Row("A1")])
    path = publish_snapshot(con, tmp_path / "w.duckdb")
    code = (
        f"import duckdb, sys; c = duckdb.connect({str(path)!r}, read_only=True);"
        "print('open', flush=True); sys.stdin.readline(); print(c.execute('select count(*) from"
        " achados').fetchall())"
    )
    reader = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert reader.stdout.readline().strip() == "open"
    night(con, 2, [Row("A1"), Row("A2")])
    publish_snapshot(con, tmp_path / "w.duckdb")
    out, _ = reader.communicate("\n", timeout=60)
    assert out.strip() == "[(1,)]"
    with duckdb.connect(str(path), read_only=True) as copy:
        assert copy.execute("select count(*) from achados").fetchall() == [(2,)]


def test_failure_leaves_yesterdays_copy(con, tmp_path):
    night(con, 1, [Row("A1")])
    before = publish_snapshot(con, tmp_path / "w.duckdb").read_bytes()
    con.execute(
        "drop table fatos.autos; create view fatos.autos as select error('x') as auto_id, 'P1' as permissionario_id"
    )
    with pytest.raises(duckdb.Error):
        publish_snapshot(con, tmp_path / "w.duckdb")
    assert (tmp_path / "w.publicado.duckdb").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "publicado" in p.name] == ["w.publicado.duckdb"]
    con.execute("select 1 from achados")  # the connection is still good


def test_norms_and_the_calendar_around_the_night(con, tmp_path):
    night(con, 1, [])
    with duckdb.connect(str(publish_snapshot(con, tmp_path / "w.duckdb")), read_only=True) as copy:
        assert copy.execute("from norma.normas").fetchall() == [("408/2009", "Lei 408")]
        assert copy.execute("select count(*) from calendario.dias").fetchall() == [(2,)]
        assert copy.execute("select nome from calendario.feriados").fetchall() == [("Ano",)]


def test_nights_of_what_may_end_in_cassacao(con, tmp_path):
    for day in (1, 2):
        night(con, day, [CASSACAO, Row("A1")])
    cassar(con)
    with duckdb.connect(str(publish_snapshot(con, tmp_path / "w.duckdb")), read_only=True) as copy:
        rows = copy.execute("select verificacao, count(*) from achados_historico group by 1 order by 1 nulls last")
        assert rows.fetchall() == [("alvara_vencido", 1), ("pontos_cassacao", 1), (None, 1)]
        ids = copy.execute("select as_of, estado from noites").fetchall()
        assert [(d.day, e) for d, e in ids] == [(1, "novo")]
