"""Two runs compared: what appeared, what is gone and why, what changed, and what may explain it."""

import hashlib
import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from reports.diff import compare, diff_runs
from reports.diff_model import Side
from reports.diff_runs import DiffError, run_info
from reports.diff_text import diff_as_dict, render_diff
from sql.ledger import apply_dispensas, record_run
from tests.ledger.base import PARAMS, Dispensa, Row, new_warehouse, night, refuse, run, set_night


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()


def load(con, extract, sha):
    con.execute("delete from extrato.cargas where extrato = $x", {"x": extract})
    con.execute(
        "insert into extrato.cargas (extrato, arquivo, sha256, situacao) values ($x, $x, $s, 'aceito')",
        {"x": extract, "s": sha},
    )


def kinds(result):
    return {(r.tipo, r.sujeito_id) for r in result.linhas}


def one(result, kind):
    (row,) = [r for r in result.linhas if r.tipo == kind]
    return row


def test_appeared_gone_changed(con):
    night(con, 1, [Row("A1"), Row("A2", "a_vencer", valor=Decimal("10.00")), Row("A4")])
    night(con, 2, [Row("A2", valor=Decimal("20.00")), Row("A3"), Row("A4")])
    result = diff_runs(con)
    assert kinds(result) == {("sumiu", "A1"), ("mudou", "A2"), ("apareceu", "A3")}
    changed = one(result, "mudou")
    assert changed.colunas == ("situacao", "valor")
    assert (changed.de["valor"], changed.para["valor"]) == (Decimal("10.00"), Decimal("20.00"))
    assert one(result, "sumiu").causa == "regularizado"
    assert one(result, "apareceu").pode_explicar == ("data",)
    assert (result.de.execucao_id, result.para.execucao_id) == ("r1", "r2")
    text = "\n".join(render_diff(result))
    assert "só a data andou" in text
    assert "situação: a vencer → violação; valor: R$ 10,00 → R$ 20,00" in text


def test_nothing_changed(con):
    night(con, 1, [Row("A1")])
    night(con, 2, [Row("A1")])
    result = diff_runs(con)
    assert result.linhas == () and result.totais == ()
    assert render_diff(result)[-1] == "Os achados são os mesmos."


def test_days_passing_is_no_change(con):
    night(con, 1, [Row("A1")])
    night(con, 5, [Row("A1")])
    assert diff_runs(con).linhas == ()


def test_two_runs_of_one_date(con):
    night(con, 1, [Row("A1"), Row("A2"), Row("A3")])
    night(con, 2, [Row("A1"), Row("A2"), Row("A3")])
    night(con, 1, [Row("A3", "nao_avaliado")], run_id="again", extract=["A2", "A3"])
    result = diff_runs(con)  # the run it took the place of, not the night executed before
    assert (result.de.execucao_id, result.para.execucao_id) == ("r1", "again")
    causes = {r.sujeito_id: r.causa for r in result.linhas if r.tipo == "sumiu"}
    assert causes == {"A1": "ausente", "A2": "regularizado", "A3": "nao_avaliado"}
    assert result.mudancas.as_of is None


def test_two_old_runs_say_what_they_cannot_tell(con):
    night(con, 1, [Row("A1")])
    night(con, 1, [], run_id="again")
    night(con, 2, [])
    assert one(diff_runs(con, "r1", "again"), "sumiu").causa == "regularizado_ou_ausente"


def test_cause_of_the_ledger_is_used(con):
    night(con, 1, [Row("A1")])
    night(con, 2, [], extract=[])
    night(con, 3, [])
    assert one(diff_runs(con, "r1", "r2"), "sumiu").causa == "ausente"


def test_norm_not_evaluated_explains(con):
    night(con, 1, [Row("A1")])
    night(con, 2, [])
    night(con, 1, [Row("408/2009", "nao_avaliado", sujeito_tipo="norma")], run_id="again")
    assert one(diff_runs(con), "sumiu").causa == "nao_avaliado"
    back = one(diff_runs(con, "again", "r1"), "fora")
    assert (back.sujeito_id, back.causa) == ("408/2009", "avaliado")


def test_what_was_lacking_on_both_sides_explains_nothing(con):
    partial = Row("408/2009", "nao_avaliado", sujeito_tipo="norma", evidencia='{"falta":["linhas"]}')
    night(con, 1, [Row("A1"), partial])
    night(con, 1, [partial], run_id="again")
    assert one(diff_runs(con), "sumiu").causa == "regularizado"


def test_holder_left_and_what_hangs_from_it_stayed(con):
    night(con, 1, [Row("A1")])
    con.execute("delete from extrato.permissionarios")
    night(con, 1, [], run_id="again")
    assert one(diff_runs(con), "sumiu").causa == "ausente"


def test_refused_row_is_not_gone(con):
    night(con, 1, [Row("A1"), Row("A2")])
    refuse(con, "alvaras", "A1")
    night(con, 1, [], run_id="again", extract=[])
    causes = {r.sujeito_id: r.causa for r in diff_runs(con).linhas}
    assert causes == {"A1": "nao_avaliado", "A2": "ausente"}


def test_dispensa_is_no_longer_flagged(con):
    night(con, 1, [Row("A1")])
    night(con, 2, [Row("A1")], dispensas=[Dispensa("X", "A1", date(2026, 2, 2), date(2026, 2, 2))])
    row = one(diff_runs(con), "sumiu")
    assert row.colunas == ("situacao", "evidencia") and row.para["situacao"] == "dispensado"
    assert row.causa == "dispensado"


def test_moves_between_situations_are_counted(con):
    night(con, 1, [Row("A1", "nao_avaliado"), Row("A2", "nao_avaliado"), Row("A3"), Row("A4", "a_vencer"), Row("A6")])
    night(con, 2, [Row("A1"), Row("A2"), Row("A3", "nao_avaliado"), Row("A4"), Row("A5", "nao_avaliado"), Row("A6")])
    result = diff_runs(con)
    assert set(result.transicoes) == {
        ("nao_avaliado", "violacao", 2), ("violacao", "nao_avaliado", 1), ("a_vencer", "violacao", 1),
        (None, "nao_avaliado", 1),
    }  # fmt: skip
    assert [result.total(k) for k in ("apareceu", "sumiu", "mudou", "fora")] == [2, 1, 1, 1]
    text = "\n".join(render_diff(result))
    assert "2  não avaliado → violação" in text and "1  sem achado → não avaliado" in text
    assert "Apareceram (passam a ser apontados): 2" in text and "Sumiram (deixam de ser apontados): 1" in text


def test_violations_come_first(con):
    night(con, 1, [])
    night(con, 2, [Row("A1", "a_vencer"), Row("A2", "para_decisao"), Row("A3"), Row("A4", "nao_avaliado")])
    result = diff_runs(con, limite=2)
    assert [r.sujeito_id for r in result.linhas if r.tipo == "apareceu"] == ["A3", "A2"]


def test_gone_and_closed_are_told_apart(con):
    night(con, 1, [Row("A1"), Row("A2")])
    night(con, 2, [Row("A2")])
    night(con, 3, [])
    assert not any("encerr." in line for line in render_diff(diff_runs(con)))
    result = diff_runs(con, "r1", "r3")
    assert (result.total("sumiu"), result.encerrados) == (2, 1)
    assert any("«encerr.» da segunda execução traz 1:" in line for line in render_diff(result))


def only(*extracts):
    """A check that reads these extracts, and no other through them."""
    return frozenset(extracts), frozenset(extracts)


def keep(con, folder, extract, text):
    """One file of an extract, kept as received."""
    sha = hashlib.sha256(text.encode()).hexdigest()
    (folder / sha[:2]).mkdir(parents=True, exist_ok=True)
    (folder / sha[:2] / sha).write_text(text, encoding="utf-8")
    con.execute("delete from extrato.cargas where extrato = $x", {"x": extract})
    con.execute(
        "insert into extrato.cargas (extrato, arquivo, sha256, situacao, codificacao, delimitador)"
        " values ($x, $x || '.csv', $s, 'aceito', 'utf-8', ';')",
        {"x": extract, "s": sha},
    )


def test_only_the_date_moved_for_this_subject(con, tmp_path):
    vehicle = '{"veiculo_id":"V4"}'
    keep(con, tmp_path, "alvaras", "ALVARA_ID;veiculo_id;fim\nA1;V1;1\nA2;V2;1\nA9;V4;1\n")
    night(con, 1, [])
    keep(con, tmp_path, "alvaras", "ALVARA_ID;veiculo_id;fim\nA1;V1;1\nA2;V2;2\nA9;V4;2\n")
    night(con, 2, [Row("A1"), Row("A2"), Row("A4", evidencia=vehicle)])
    reads = {"alvara_vencido": only("alvaras")}
    result = diff_runs(con, reads=reads, brutos=tmp_path)
    why = {r.sujeito_id: r.pode_explicar for r in result.linhas}
    assert why == {"A1": ("data",), "A2": ("registro",), "A4": ("registro",)}
    text = "\n".join(render_diff(result))
    assert "[só a data andou]" in text and "2: mudaram linhas dele ou do titular em alvaras" in text
    assert "alvara A2: violação, devido em 10/01/2026 [alvaras.csv (A2): fim 1 → 2]" in text
    assert "1: só a data andou" in text
    # without the files nobody can tell
    assert {r.pode_explicar for r in diff_runs(con, reads=reads).linhas} == {("incerto", "data")}


def test_a_paid_fine_names_the_payment_and_no_other_change_of_the_holder(con, tmp_path):
    con.execute("insert into extrato.autos values ('N1', 'P1'), ('N2', 'P1')")
    keep(con, tmp_path, "autos", "auto_id;permissionario_id;pago_em\nN1;P1;\nN2;P1;\n")
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;1\n")
    keep(con, tmp_path, "permissionarios", "permissionario_id;nome;telefone\nP1;Ana;1\n")
    keep(con, tmp_path, "feriados", "data;nome\n1;x\n")
    fine = Row("N1", verificacao="multa_vencida", sujeito_tipo="auto")
    night(con, 1, [fine])
    keep(con, tmp_path, "autos", "auto_id;permissionario_id;pago_em\nN1;P1;2026-02-02\nN2;P1;2026-02-02\n")
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;2\n")
    keep(con, tmp_path, "permissionarios", "permissionario_id;nome;telefone\nP1;Ana;2\n")
    keep(con, tmp_path, "feriados", "data;nome\n2;x\n")
    night(con, 2, [], extract=["A1"])
    reads = {"multa_vencida": (frozenset({"autos"}), frozenset({"autos", "permissionarios", "feriados"}))}
    result = diff_runs(con, reads=reads, brutos=tmp_path)
    row = one(result, "sumiu")
    assert (row.causa, row.pode_explicar, row.extratos) == ("regularizado", ("registro",), ("autos",))
    assert [(m.extrato, m.chave, m.colunas) for m in row.mudancas] == [
        ("autos", "N1", (("pago_em", None, "2026-02-02"),))
    ]
    assert "regularizado [autos.csv (N1): pago_em (vazio) → 2026-02-02]" in "\n".join(render_diff(result))


def test_a_holder_that_left_is_named_and_what_changed_of_the_rest_is_not(con, tmp_path):
    keep(con, tmp_path, "permissionarios", "permissionario_id;nome\nP1;Ana\nP2;Bia\n")
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;1\n")
    night(con, 1, [Row("A1")])
    keep(con, tmp_path, "permissionarios", "permissionario_id;nome\nP2;Bia\n")
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;2\n")
    con.execute("delete from extrato.permissionarios")
    night(con, 2, [])
    result = diff_runs(con, reads={"alvara_vencido": only("alvaras")}, brutos=tmp_path)
    row = one(result, "sumiu")
    assert (row.causa, row.pode_explicar, row.extratos) == ("ausente", ("registro",), ("permissionarios",))
    assert "saiu do extrato [permissionarios.csv: saiu P1]" in "\n".join(render_diff(result))


def test_a_dispensa_is_named_and_nothing_else(con, tmp_path):
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;1\n")
    keep(con, tmp_path, "dispensas", "dispensa_id;sujeito_id\n")
    night(con, 1, [Row("A1")])
    keep(con, tmp_path, "alvaras", "alvara_id;permissionario_id;fim\nA1;P1;2\n")
    keep(con, tmp_path, "dispensas", "dispensa_id;sujeito_id\nD1;A1\n")
    night(con, 2, [Row("A1")], dispensas=[Dispensa("D1", "A1", date(2026, 2, 2), date(2026, 2, 9))])
    result = diff_runs(con, reads={"alvara_vencido": only("alvaras")}, brutos=tmp_path)
    row = one(result, "sumiu")
    assert (row.causa, row.pode_explicar, row.dispensa[0]) == ("dispensado", ("dispensa",), "D1")
    assert "[dispensa D1, processo" in "\n".join(render_diff(result))
    night(con, 10, [Row("A1")])
    assert one(diff_runs(con, brutos=tmp_path), "apareceu").dispensa[0] == "D1"
    night(con, 11, [])  # gone: that a dispensa covered it once explains nothing
    assert not one(diff_runs(con, "r2", "r11"), "fora").porque.dispensa


def test_the_day_a_term_ended_is_named_beside_the_rows(con, tmp_path):
    keep(con, tmp_path, "alvaras", "alvara_id;fim\nA1;1\n")
    night(con, 1, [Row("A1", "a_vencer", devido_em=date(2026, 2, 1))])
    keep(con, tmp_path, "alvaras", "alvara_id;fim\nA1;2\n")
    night(con, 2, [Row("A1", devido_em=date(2026, 2, 1))])
    assert one(diff_runs(con, brutos=tmp_path), "mudou").pode_explicar == ("registro", "data")


def test_a_row_that_entered_left_or_comes_twice_is_told_and_people_are_not(con, tmp_path):
    head = "permissionario_id;tipo;exercicio;pago_em;documento\n"
    keep(con, tmp_path, "taxas", head + "P1;TVTM;2025;;1\nP1;TVTM;2026;;1\nP1;TVTI;2026;;1\nP1;TVTI;2026;1;1\n")
    fee = Row("P1", verificacao="taxa_vencida", sujeito_tipo="permissionario")
    night(con, 1, [fee])
    keep(con, tmp_path, "taxas", head + "P1;TVTM;2026;2;2\nP1;ISSQN;2026;;1\nP1;TVTI;2026;3;1\nP1;TVTI;2026;4;1\n")
    night(con, 2, [])
    (row,) = diff_runs(con, brutos=tmp_path).linhas
    assert row.mudancas_total == 7  # one changed, one came, one went; of the key that comes twice, two and two
    text = "\n".join(render_diff(diff_runs(con, brutos=tmp_path)))
    assert "[taxas.csv (P1 TVTM 2026): documento mudou, pago_em (vazio) → 2; taxas.csv: entrou P1 ISSQN 2026; " in text
    assert "e mais 4 linhas]" in text


def test_an_extract_that_came_or_stopped_coming_is_told_so(con, tmp_path):
    keep(con, tmp_path, "alvaras", "alvara_id;fim\nA1;1\n")
    night(con, 1, [Row("A1")])
    con.execute("delete from extrato.cargas")
    night(con, 2, [Row("A1", "nao_avaliado")])
    assert "[deixou de vir o extrato alvaras; a data andou]" in "\n".join(render_diff(diff_runs(con, brutos=tmp_path)))
    keep(con, tmp_path, "alvaras", "alvara_id;fim\nA1;1\n")
    night(con, 3, [Row("A1")])
    assert "passou a vir o extrato alvaras" in "\n".join(render_diff(diff_runs(con, brutos=tmp_path)))


def test_files_with_the_same_rows_in_another_order_explain_nothing(con, tmp_path):
    keep(con, tmp_path, "feriados", "data;nome\n1;x\n2;y\n")
    night(con, 1, [])
    keep(con, tmp_path, "feriados", "data;nome\n2;y\n1;x\n")
    night(con, 2, [Row("A1")])
    assert one(diff_runs(con, brutos=tmp_path), "apareceu").pode_explicar == ("data",)
    keep(con, tmp_path, "feriados", "data;nome\n2;y\n1;z\n")
    night(con, 3, [Row("A1"), Row("A2")])
    assert one(diff_runs(con, brutos=tmp_path), "apareceu").porque.geral == ("feriados",)


def test_a_file_of_another_shape_tells_nothing(con, tmp_path):
    keep(con, tmp_path, "alvaras", "alvara_id;fim\nA1;1\n")
    night(con, 1, [])
    keep(con, tmp_path, "alvaras", "alvara_id;fim;nova\nA1;1;x\n")
    night(con, 2, [Row("A1")])
    reads = {"alvara_vencido": only("alvaras")}
    assert one(diff_runs(con, reads=reads, brutos=tmp_path), "apareceu").pode_explicar == ("incerto", "data")


def test_why(con):
    load(con, "alvaras", "s1")
    load(con, "linhas", "l1")
    night(con, 1, [Row("A1"), Row("A2", verificacao="multa_vencida")])
    load(con, "alvaras", "s2")
    con.execute("delete from extrato.cargas where extrato = 'linhas'")
    load(con, "taxas", "t1")
    changed = {**PARAMS, ("408/2009", "multa_vencida"): "other"}
    set_night(con, [])
    apply_dispensas(con, date(2026, 2, 1))
    record_run(con, replace(run("again", date(2026, 2, 1), changed), codigo_versao="2"))
    reads = {"alvara_vencido": only("alvaras"), "multa_vencida": only("autos")}
    result = diff_runs(con, reads=reads)
    assert result.mudancas.extratos == (("alvaras", "mudou"), ("linhas", "ausente"), ("taxas", "novo"))
    assert result.mudancas.parametros == (("408/2009", "multa_vencida", "mudou"),)
    assert result.mudancas.codigo == ("1", "2")
    why = {r.verificacao: r.pode_explicar for r in result.linhas}
    assert why == {"alvara_vencido": ("incerto", "codigo"), "multa_vencida": ("norma", "codigo")}
    causes = {r.verificacao: r.causa for r in result.linhas}
    assert causes == {"alvara_vencido": "regularizado", "multa_vencida": "norma_alterada"}
    text = "\n".join(render_diff(result))
    assert "alvaras (mudou), linhas (só na primeira), taxas (só na segunda)" in text
    assert "versão do programa: 1 → 2" in text


def test_limit_keeps_the_counts(con):
    night(con, 1, [])
    night(con, 2, [Row(f"A{n}") for n in range(30)])
    result = diff_runs(con, limite=5)
    assert len(result.linhas) == 5 and result.total("apareceu") == 30
    assert any("e mais 25" in line for line in render_diff(result))
    assert len(diff_runs(con).linhas) == 30


def test_named_by_date_or_by_the_start_of_the_id(con):
    night(con, 1, [], run_id="20260201-aa")
    night(con, 1, [], run_id="20260201-ab")
    night(con, 3, [], run_id="20260203-aa")
    result = diff_runs(con, date(2026, 2, 1), "20260203")
    assert (result.de.execucao_id, result.para.execucao_id) == ("20260201-ab", "20260203-aa")
    with pytest.raises(DiffError, match="mais de uma execução"):
        diff_runs(con, "20260201-a")
    with pytest.raises(DiffError, match=r"não é uma execução nem uma data executada.*20260203-aa \(03/02/2026\)"):
        diff_runs(con, "2026-02-02")


def test_nothing_to_compare(con):
    with pytest.raises(DiffError, match="ainda não tem nenhuma execução"):
        diff_runs(con)
    night(con, 1, [])
    with pytest.raises(DiffError, match="não há execução anterior"):
        diff_runs(con)


def test_json_is_whole(con):
    night(con, 1, [Row("A1")])
    night(con, 2, [Row("A2", valor=Decimal("1.10"))])
    data = json.loads(json.dumps(diff_as_dict(diff_runs(con)), default=str))
    assert [r["tipo"] for r in data["linhas"]] == ["apareceu", "sumiu"]
    assert data["linhas"][0]["para"]["valor"] == "1.10"


def test_simulation_in_another_file(con, tmp_path):
    night(con, 1, [Row("A1")])
    (tmp_path / "sim").mkdir()
    other = new_warehouse(tmp_path / "sim")
    night(other, 1, [Row("A2")], run_id="s1")
    other.close()
    con.execute(f"attach '{tmp_path / 'sim' / 'w.duckdb'}' as simulacao (read_only)")
    result = compare(
        con,
        Side(run_info(con, "r1"), "achados"),
        Side(
            run_info(con, "s1", "simulacao.main"),
            "(select * from simulacao.main.achados_historico where execucao_id = 's1')",
        ),
    )
    assert kinds(result) == {("sumiu", "A1"), ("apareceu", "A2")}
    con.execute("detach simulacao")
