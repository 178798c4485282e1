"""Meta-tests: what every check folder must have, whoever wrote it."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest

from checks.extracts.contracts import contracts
from checks.law.catalogue import CheckSpec, load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.parameters import parameter_problems
from tests.law.casos import Case, build, norms, read_cases, run_cases

CATALOGUE = load_catalogue()
SPECS = list(CATALOGUE.values())
EVIDENCE = tomllib.loads((Path(__file__).parents[2] / "checks" / "evidencia.toml").read_text(encoding="utf-8"))
#: What the engine or the ledger may add to any check's evidence.
COMMON = {"falta", "erro", "dispensa", "situacao_sem_duvida"}
ONLY_ADD = ("feriados", "processos", "dispensas", "valores_referencia")
each_check = pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.id)


#: What checks share, by name: each `create macro fatos.x(...) as table` of sql/fatos.
SHARED = {
    found[1]: statement
    for path in sorted((Path(__file__).parents[2] / "sql" / "fatos").glob("*.sql"))
    for statement in path.read_text(encoding="utf-8").split(";")
    if (found := re.search(r"create or replace macro (fatos\.\w+)\(", statement))
}


def query(spec: CheckSpec) -> str:
    """The query, and the shared relations it calls."""
    return "\n".join([spec.sql, *(text for name, text in SHARED.items() if f"{name}(" in spec.sql)])


def code(spec: CheckSpec) -> str:
    """The query without comments and quoted text."""
    without = re.sub(r"--[^\n]*", "", query(spec))
    return re.sub(r"'[^']*'", "''", without)


@each_check
def test_no_number_of_the_law_in_sql(spec: CheckSpec) -> None:
    # 0, 1 and 2 are plumbing (first row, next day, a scale of decimals); 18 is the precision of money
    numbers = {n for n in re.findall(r"(?<![\w.$])\d+(?:\.\d+)?", code(spec)) if n not in ("0", "1", "2", "18")}
    assert not numbers, f"{spec.id}/check.sql tem números: {sorted(numbers)}; eles vêm de data/normas"


@each_check
def test_no_norm_named_in_sql(spec: CheckSpec) -> None:
    named = [n.id for n in norms() if n.id in query(spec) or n.id.split("/")[0] in code(spec)]
    assert not named


@each_check
def test_asks_no_clock_and_reads_no_extract_of_dated_things(spec: CheckSpec) -> None:
    assert not re.search(r"current_date|current_timestamp|\bnow\(|\btoday\(", query(spec), re.I)


@each_check
def test_every_parameter_is_read(spec: CheckSpec) -> None:
    unread = [n for n in (*spec.parametros, *spec.regra) if not re.search(rf"\b{n}\b", code(spec))]
    assert not unread


@each_check
def test_evidence_is_documented(spec: CheckSpec) -> None:
    assert set(spec.evidencia) <= set(EVIDENCE), sorted(set(spec.evidencia) - set(EVIDENCE))
    for name in spec.evidencia:
        assert {"rotulo", "tipo", "descricao"} <= set(EVIDENCE[name])


@each_check
def test_requires_columns_that_exist(spec: CheckSpec) -> None:
    wanted = set(spec.exige)
    for norm in norms():
        for said in norm.verificacoes.get(spec.id, ()):
            wanted |= set(said.exige)
    for item in wanted:
        extract, column = item.split(".")
        assert extract not in ONLY_ADD
        contracts()[extract].column(column)


@each_check
def test_some_norm_has_the_rule(spec: CheckSpec) -> None:
    assert [n.id for n in norms() if spec.id in n.verificacoes]


@each_check
def test_every_norm_that_has_the_rule_has_a_case(spec: CheckSpec) -> None:
    with_rule = {n.id for n in norms() if spec.id in n.verificacoes}
    assert with_rule <= {c.norma for c in read_cases(spec)}


@each_check
def test_has_a_finding_and_a_silence(spec: CheckSpec) -> None:
    expected = {e["situacao"] for c in read_cases(spec) for e in c.expected}
    assert expected & {"violacao", "a_vencer", "para_decisao", "nao_avaliado"}
    assert "nenhum" in expected


@each_check
def test_turning_day_has_both_sides(spec: CheckSpec) -> None:
    """Where a finding can turn from `a_vencer` to `violacao`, the last day in time and the next one are cases."""
    days = [
        (e["situacao"], (c.as_of - date.fromisoformat(e["devido_em"])).days)
        for c in read_cases(spec)
        for e in c.expected
        if e["devido_em"]
    ]
    if {"violacao", "a_vencer"} <= {s for s, _ in days} and spec.id != "pontos_cassacao":
        assert ("a_vencer", 0) in days, "falta o caso do último dia"
        assert ("violacao", 1) in days, "falta o caso do dia seguinte"


def test_parameters_are_typed() -> None:
    assert not parameter_problems(list(norms()), CATALOGUE)


def test_evidence_returned_is_the_evidence_declared() -> None:
    cases = [c for s in SPECS for c in read_cases(s)]
    common = max({c.as_of for c in cases}, key=lambda d: sum(c.as_of == d for c in cases))
    same_day = [c for c in cases if c.as_of == common and CATALOGUE[c.check].sujeito != "norma"]
    for key, rows in run_cases(same_day, common).items():
        declared = set(CATALOGUE[key.split("|")[0]].evidencia) | COMMON
        for row in rows:
            assert set(json.loads(row[4])) <= declared, key


@each_check
def test_missing_column_is_not_compliance(spec: CheckSpec) -> None:
    """Without a column it requires the check says so once per norm, and says nothing else."""
    if not spec.exige:
        pytest.skip("não exige coluna")
    cases = read_cases(spec)
    first = [c for c in cases if c.norma == cases[0].norma][:1]
    con = build(first, first[0].as_of)
    extract, column = spec.exige[-1].split(".")
    con.execute("delete from extrato.colunas where extrato = $e and coluna = $c", {"e": extract, "c": column})
    run_checks(con, {spec.id: spec}, parameter_rows(norms(), CATALOGUE, first[0].as_of), first[0].as_of)
    rows = con.execute(
        "select norma, situacao, sujeito_tipo, sujeito_id, devido_em, evidencia from resultado.achados"
    ).fetchall()
    con.close()
    norma = first[0].norma
    assert [r[:5] for r in rows] == [(norma, "nao_avaliado", "norma", norma, None)]
    assert json.loads(rows[0][5])["falta"] == [spec.exige[-1]]


def test_a_check_that_crashes_does_not_take_the_others(tmp_path: Path) -> None:
    spec = CATALOGUE["multa_vencida"]
    broken = CheckSpec(**{**{f: getattr(spec, f) for f in CheckSpec.__dataclass_fields__}, "folder": tmp_path})
    (tmp_path / "check.sql").write_text("select nada from registro.que_nao_existe", encoding="utf-8")
    case = Case("alvara_vencido", "x", "408/2009", date(2026, 3, 2))
    case.rows = {
        "alvaras": [{"emitido_em": "2025-03-01"}],
        "autos": [{"codigo": "AnII-01", "ocorrido_em": "2026-01-01"}],
    }
    con = build([case], case.as_of)
    catalogue = {"multa_vencida": broken, "alvara_vencido": CATALOGUE["alvara_vencido"]}
    results = run_checks(con, catalogue, parameter_rows(norms(), CATALOGUE, case.as_of), case.as_of)
    assert {(r.verificacao, r.situacao) for r in results} == {
        ("multa_vencida", "falhou"),
        ("alvara_vencido", "avaliada"),
    }
    rows = con.execute("select verificacao, situacao, sujeito_tipo from resultado.achados order by 1").fetchall()
    assert rows == [("alvara_vencido", "violacao", "alvara"), ("multa_vencida", "nao_avaliado", "norma")]
    con.close()


def test_dates_move_one_way() -> None:
    """A night later nothing due turns back to `a_vencer`: the seven nightly checks on their own cases."""
    seven = ("alvara_vencido", "renovacao_pre_detran", "veiculo_acima_da_idade", "substituicao_vencida")
    cases = [c for name in seven for c in read_cases(CATALOGUE[name]) if c.as_of == date(2026, 3, 2)]
    today = run_cases(cases, date(2026, 3, 2))
    tomorrow = run_cases(cases, date(2026, 3, 2) + timedelta(days=1))
    for key, rows in today.items():
        for subject, situacao, devido, *_ in rows:
            after = [r for r in tomorrow[key] if r[0] == subject]
            if situacao in ("violacao", "para_decisao"):
                assert [(r[1], r[2]) for r in after if r[1] != "nao_avaliado"] == [(situacao, devido)] or after == []
