"""Run the cases of checks/law/<id>/casos.csv on a real DuckDB: the law's scenarios as data a lawyer can read.

A case is one or more lines with the same `caso`. Columns:
  caso; norma; as_of; <extrato>.<coluna>...; sujeito; situacao; devido_em; valor; nota
- A line adds one row to every extract of which it fills a cell. A permissionario P (and a vehicle V, a permit A, ...)
  with plain values is there by default; ids in cells are short (P, V, V2, A, I, C) and private to the case.
- `?` is a value that could not be read (unknown, not absent). A cell of spaces is absent.
- Expected: `situacao` (and `devido_em`, `valor` where given) of the subject `sujeito` (default: the check's usual one);
  `nenhum` says that the check has nothing to say. A line without `situacao` only adds rows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import duckdb

from checks.extracts.contracts import contracts
from checks.law.catalogue import CheckSpec, load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from data.tables import register_norms
from sql.calendar import build_calendar
from sql.facts import build_facts, build_registry, load_macros
from sql.points import build_points

CONTEXT = Path(__file__).parent / "contexto"
#: Usual subject of each kind, when the case does not say.
SUBJECTS = {"permissionario": "P", "veiculo": "V", "alvara": "A", "condutor": "C", "auto": "I", "linha": "L"}
#: Plain values of required columns, so that a case says only what matters.
DEFAULTS: dict[str, dict[str, str]] = {
    "permissionarios": {"permissionario_id": "P", "nome": "Operador", "tipo_pessoa": "PF", "documento": "52998224725"},
    "veiculos": {"veiculo_id": "V", "permissionario_id": "P", "placa": "ABC1C34", "tipo": "onibus", "ano_fabricacao": "2024"},
    "alvaras": {"alvara_id": "A", "permissionario_id": "P", "modalidade": "alvara", "veiculo_id": "V"},
    "condutores": {"condutor_id": "C", "permissionario_id": "P", "nome": "Condutor", "funcao": "motorista"},
    "vistorias": {"vistoria_id": "T", "veiculo_id": "V"},
    "autos": {"auto_id": "I", "permissionario_id": "P"},
    "linhas": {"linha_id": "L", "nome": "Linha"},
    "operacao": {"veiculo_id": "V"},
    "obrigacoes": {"permissionario_id": "P"},
    "garantias": {"permissionario_id": "P"},
    "taxas": {"permissionario_id": "P"},
    "comunicacoes": {"permissionario_id": "P"},
    "processos": {"processo_id": "R", "permissionario_id": "P"},
    "lista_espera": {"nome": "Interessado"},
}  # fmt: skip
EXPECTED = ("sujeito", "situacao", "devido_em", "valor")


@dataclass
class Case:
    """One case: its rows per extract and what the check must answer."""

    check: str
    name: str
    norma: str
    as_of: date
    rows: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    expected: list[dict[str, str]] = field(default_factory=list)
    where: str = ""

    @property
    def key(self) -> str:
        return f"{self.check}|{self.name}"


def read_cases(spec: CheckSpec, path: Path | None = None) -> list[Case]:
    """The cases of one check, in order (from its own folder unless `path` is given)."""
    path = path or spec.folder / "casos.csv"
    if not path.exists():
        return []
    cases: dict[str, Case] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file, delimiter=";"), 2):
            assert None not in line, f"{path}:{number}: mais células que colunas"
            name = line["caso"].strip()
            if not name:
                continue
            if name not in cases:
                cases[name] = Case(
                    spec.id, name, line["norma"].strip(), date.fromisoformat(line["as_of"].strip()),
                    where=f"{path.parent.name}/casos.csv:{number}",
                )  # fmt: skip
            _add_line(cases[name], line, f"{path}:{number}")
    return list(cases.values())


def _add_line(case: Case, line: Mapping[str, str], where: str) -> None:
    cells: dict[str, dict[str, str]] = {}
    for column, value in line.items():
        if "." in column and value not in (None, ""):
            extract, name = column.split(".")
            contracts()[extract].column(name)
            cells.setdefault(extract, {})[name] = value.strip()
    for extract, row in cells.items():
        case.rows.setdefault(extract, []).append(row)
    if (line.get("situacao") or "").strip():
        case.expected.append({k: (line.get(k) or "").strip() for k in EXPECTED})


@cache
def catalogue() -> dict[str, CheckSpec]:
    return load_catalogue()


@cache
def norms() -> tuple:
    return load_norms(catalogue=catalogue())


def run_cases(cases: Iterable[Case], as_of: date, normas: tuple | None = None) -> dict[str, list[tuple]]:
    """Findings (sujeito, situacao, devido_em, valor, evidencia) per case key, all cases in one warehouse."""
    cases = list(cases)
    normas = norms() if normas is None else normas
    con = build(cases, as_of, normas=normas)
    wanted = {case.check for case in cases}
    specs = {name: spec for name, spec in catalogue().items() if name in wanted}
    results = run_checks(con, specs, parameter_rows(normas, catalogue(), as_of), as_of)
    crashed = [r for r in results if r.situacao == "falhou"]
    assert not crashed, crashed
    found: dict[str, list[tuple]] = {case.key: [] for case in cases}
    for check, subject, *rest in con.execute(
        "select verificacao, sujeito_id, situacao, devido_em, valor, evidencia, norma from resultado.achados"
    ).fetchall():
        if "|" in subject:
            key, _, own = subject.rpartition("|")
            if key in found and key.startswith(check + "|"):
                found[key].append((own, *rest))
        elif len(cases) == 1:
            found[cases[0].key].append((subject, *rest))
    con.close()
    return found


def build(
    cases: Iterable[Case],
    as_of: date,
    con: duckdb.DuckDBPyConnection | None = None,
    normas: tuple | None = None,
) -> duckdb.DuckDBPyConnection:
    """A warehouse (in memory unless given) with the rows of the cases, through registry, facts and points."""
    con = duckdb.connect() if con is None else con
    con.execute("set TimeZone = 'America/Bahia'")
    load_macros(con)
    con.execute("create schema extrato; create table extrato.colunas(extrato varchar, coluna varchar)")
    con.execute(
        "create table extrato.sujeitos_rejeitados(extrato varchar, arquivo varchar, linha bigint, coluna varchar,"
        " tipo varchar, id varchar)"
    )
    con.execute(
        "create table extrato.rejeitos(extrato varchar, arquivo varchar, linha bigint, coluna varchar, valor varchar,"
        " motivo varchar, nivel varchar)"
    )
    for contract in contracts().values():
        declared = ", ".join(f"{c.name} {c.sql_type}" for c in contract.columns)
        con.execute(
            f"create table extrato.{contract.name}({declared}, arquivo varchar, linha bigint, desconhecidos varchar[])"
        )
        con.executemany("insert into extrato.colunas values (?, ?)", [[contract.name, n] for n in contract.names])
        context = CONTEXT / f"{contract.name}.csv"
        if context.exists():
            con.execute(
                f"insert into extrato.{contract.name} by name select * from read_csv('{context}', delim=';',"
                " header=true, all_varchar=true)"
            )
    for case in cases:
        _insert(con, case)
    register_norms(con, norms() if normas is None else normas, as_of)
    build_calendar(con, as_of, first_year=as_of.year - 12, years_ahead=4)
    for layer in (build_registry, build_facts, build_points):
        for _ in layer(con, as_of):
            pass
    return con


def _insert(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    rows = {extract: [dict(r) for r in lines] for extract, lines in case.rows.items()}
    used = {r.get("veiculo_id") or DEFAULTS.get(e, {}).get("veiculo_id") for e, ls in rows.items() for r in ls}
    holders = rows.setdefault("permissionarios", [{}])
    for holder in holders:
        holder.setdefault("norma", case.norma)
    if "veiculos" not in rows and "V" in used and catalogue()[case.check].id != "veiculo_nao_cadastrado":
        rows["veiculos"] = [{}]
    for extract, lines in rows.items():
        contract = contracts()[extract]
        for line in lines:
            full = {**DEFAULTS.get(extract, {}), **line}
            if extract in ("linhas", "lista_espera"):
                full.setdefault("norma", case.norma)
            unknown = [name for name, value in full.items() if value == "?"]
            values = {}
            for name, value in full.items():
                if value in ("?", "-"):
                    continue
                kind = contract.column(name).kind
                private = kind == "identificador" and name.endswith("_id")
                values[name] = f"{case.key}|{value}" if private else value
            values["desconhecidos"] = unknown or None
            con.execute(
                f"insert into extrato.{extract}({', '.join(values)}) values ({', '.join('?' for _ in values)})",
                list(values.values()),
            )


def compare(case: Case, found: list[tuple]) -> list[str]:
    """What differs between the answer and the expectation; empty when they agree."""
    default = SUBJECTS.get(catalogue()[case.check].sujeito, case.norma)
    wanted = {e["sujeito"] or default: e for e in case.expected if e["situacao"] != "nenhum"}
    got = {row[0]: row for row in found}
    problems = []
    for subject in sorted(set(wanted) | set(got)):
        if subject not in got:
            problems.append(f"{case.where} {case.name}: esperava {wanted[subject]} para {subject}, nada veio")
        elif subject not in wanted:
            problems.append(f"{case.where} {case.name}: não esperava nada para {subject}, veio {got[subject]}")
        else:
            expected, (_, situacao, devido, valor, *_rest) = wanted[subject], got[subject]
            same = situacao == expected["situacao"] and str(devido or "") == expected["devido_em"]
            if expected["valor"]:
                same = same and valor == Decimal(expected["valor"])
            if not same:
                problems.append(f"{case.where} {case.name}: esperava {expected}, veio {got[subject]}")
    return problems
