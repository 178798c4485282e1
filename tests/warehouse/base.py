"""A real warehouse with hand-made extracts: the tables the ingest leaves, without the ingest."""

from datetime import date
from pathlib import Path
from typing import Any

from checks.extracts.contracts import contracts
from sql.warehouse import open_warehouse

D = date(2026, 11, 30)


def new_warehouse(folder: Path) -> Any:
    """An open warehouse with every extract's table, empty, and one norm."""
    con = open_warehouse(folder / "w.duckdb")
    con.execute("create schema extrato; create schema norma; create schema resultado")
    for nome, contract in contracts().items():
        body = ", ".join(f"{c.name} {c.sql_type}" for c in contract.columns)
        con.execute(f"create table extrato.{nome} ({body}, arquivo varchar, linha bigint, desconhecidos varchar[])")
    con.execute("create table extrato.colunas (extrato varchar, coluna varchar)")
    con.execute(
        """create table extrato.cargas (extrato varchar, arquivo varchar, sha256 varchar, bytes bigint,
        codificacao varchar, delimitador varchar, lidas bigint, carregadas bigint, rejeitadas bigint,
        duplicadas bigint, ignoradas bigint, avisos bigint, situacao varchar, origem_as_of date,
        motivo varchar, colunas_desconhecidas varchar[])"""
    )
    con.execute(
        "create table extrato.rejeitos (extrato varchar, arquivo varchar, linha bigint, coluna varchar,"
        " valor varchar, motivo varchar, nivel varchar)"
    )
    con.execute("create table norma.normas as select '825/2021' as norma")
    con.execute("create table norma.infracoes as select '825/2021' as norma, '26-I' as codigo")
    return con


def carga(con: Any, extrato: str, **counts: Any) -> None:
    """One line of `extrato.cargas`; what is not given is what a clean file of the loaded rows would have."""
    loaded = con.execute(f"select count(*) from extrato.{extrato}").fetchall()[0][0]
    con.execute("delete from extrato.cargas where extrato = $e", {"e": extrato})
    row = {
        "extrato": extrato,
        "arquivo": f"{extrato}.csv",
        "sha256": f"{extrato}-{loaded}",
        "lidas": loaded,
        "carregadas": loaded,
        "rejeitadas": 0,
        "duplicadas": 0,
        "ignoradas": 0,
        "avisos": 0,
        "situacao": "aceito",
        "origem_as_of": D,
    } | counts
    names = ", ".join(row)
    con.execute(f"insert into extrato.cargas ({names}) values ({', '.join('$' + k for k in row)})", row)


def fill(con: Any, extrato: str, select: str, **counts: Any) -> None:
    """Load an extract from a SELECT (by name): its columns are the columns of the load."""
    con.execute(f"delete from extrato.{extrato}")
    con.execute("delete from extrato.colunas where extrato = $e", {"e": extrato})
    con.execute(f"insert into extrato.{extrato} by name select '{extrato}.csv' as arquivo, * from ({select})")
    names = [r[0] for r in con.execute(f"describe {select}").fetchall()]
    con.executemany("insert into extrato.colunas values (?, ?)", [(extrato, c) for c in names if c != "linha"])
    carga(con, extrato, **counts)


PERMISSIONARIOS = """
    select format('P{:05d}', i) as permissionario_id, '825/2021' as norma, 'Fulano ' || i as nome,
        'PF' as tipo_pessoa, '52998224725' as documento, 'a@exemplo.test' as email, i + 1 as linha
    from range({n}) t(i)"""
VEICULOS = """
    select format('V{:05d}', i) as veiculo_id, format('P{:05d}', i % {p}) as permissionario_id,
        format('AAA{:04d}', i) as placa, 'motocicleta' as tipo, 2024 as ano_fabricacao,
        date '2027-01-10' as licenciamento_vence_em, i + 1 as linha
    from range({n}) t(i)"""
ALVARAS = """
    select format('A{:05d}', i) as alvara_id, format('P{:05d}', i % {p}) as permissionario_id,
        format('V{:05d}', i) as veiculo_id, 'permissao' as modalidade, date '2026-02-01' as emitido_em,
        i + 1 as linha
    from range({n}) t(i)"""
# Ten autos a day backwards from the 29th, the newest last in the file.
AUTOS = """
    select format('I{:07d}', i) as auto_id, format('P{:05d}', i % {p}) as permissionario_id, '26-I' as codigo,
        timestamp '2026-11-29 08:00' - to_days(({n} - 1 - i)::int // 10) as ocorrido_em, 100.00 as valor,
        case when i % 2 = 0 then date '2026-11-29' end as pago_em, i + 1 as linha
    from range({n}) t(i)"""


def rows(select: str, n: int, p: int | None = None) -> str:
    """One of the SELECTs above for n rows of p operators."""
    return select.replace("{n}", str(n)).replace("{p}", str(p or n))


def usual(con: Any, n: int = 200) -> None:
    """A clean load of four extracts."""
    for extrato, select in (
        ("permissionarios", PERMISSIONARIOS),
        ("veiculos", VEICULOS),
        ("alvaras", ALVARAS),
        ("autos", AUTOS),
    ):
        fill(con, extrato, rows(select, n))
