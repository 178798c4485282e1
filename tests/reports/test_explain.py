"""The story of a finding, told from a real night: the counting is all there, and nobody's CPF is."""

import json
import re
import subprocess
import sys

import pytest

from checks.law.catalogue import load_catalogue
from flows.cli import main
from reports.explain import ExplainError, explain, render_explanation
from reports.snapshot import publish_snapshot
from tests.reports.real_night import run_night


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("noite")


@pytest.fixture(scope="module")
def con(folder):
    connection = run_night(folder)
    yield connection
    connection.close()


def story(con, check, subject):
    """The text with its lines joined: wrapping is not what is tested."""
    (achado_id,) = con.execute(
        "select achado_id from achados where verificacao = ? and sujeito_id = ?", [check, subject]
    ).fetchone()
    text = render_explanation(explain(con, achado_id))
    assert max(map(len, text.splitlines())) <= 96
    return re.sub(r"\s+", " ", text)


def has(text, *parts):
    for part in parts:
        assert part in text, f"{part!r} não está em: {text}"


def test_points(con):
    text = story(con, "pontos_cassacao", "P825")
    has(
        text,
        "Pontos abaixo dos limites de cassação: VIOLAÇÃO",
        "arts. 33, § 2º, 35, par. único, e 40, II",
        "Ana Souza (CPF ***.982.247-**)",
        "4 meses, de 05/09/2025 a 05/01/2026. Somou 15 pontos; o limite é 12.",
        "20/11/2025, auto I2 (confirmado): infração 26-XIV, grupo C, 3 pontos, contados 6",
        "o mesmo agente (condutor C1) já a cometera em 10/06/2025 (auto I1)",
        "15/12/2025, auto I3 (confirmado): infração 27-I, grupo C, 3 pontos.",
        "Auto definitivo: ciência em 15/12/2025; o prazo de defesa acabou em 30/12/2025 sem defesa.",
        "Auto definitivo: ciência em 05/01/2026, defesa em 20/01/2026 (no prazo, que ia até 20/01/2026), decidido"
        " em parte, o auto fica com outro valor, com ciência da decisão em 05/02/2026.",
        "Soma: 6 + 3 + 6 = 15.",
        "O limite foi atingido em 05/01/2026 (segunda-feira), há 56 dias",
        "no máximo 11: 4 pontos a menos",
        "Consequência: cassação. Competente: Secretário da SEOSP",
        "autos.csv, linha 2 (autos I1)",
        "permissionarios.csv, linha 2 (permissionarios P825)",
    )


def test_fine_that_is_final_before_it_is_due(con):
    has(
        story(con, "multa_vencida", "I5"),
        "ciência do operador em 30/11/2025 (domingo)",
        "5 dias úteis contados de 30/11/2025: o último é 05/12/2025 (sexta-feira).",
        "fica definitiva em 05/12/2025",
        "30 dias contados de 05/12/2025: o dia do começo não entra, o primeiro é 06/12/2025 (sábado)"
        " e o último, 04/01/2026 (domingo).",
        "Como 04/01/2026 é domingo, passa para 05/01/2026 (segunda-feira), o primeiro dia útil.",
        "O que se deve: R$ 1.234,56, lançado no auto.",
        "teria sido em tempo; o prazo acabou há 56 dias",
    )


def test_fine_after_a_decision_partly_paid(con):
    has(
        story(con, "multa_vencida", "I4"),
        "A defesa, de 20/01/2026, é tempestiva.",
        "Decisão: parcial, ciência em 05/02/2026 (quinta-feira).",
        "15 dias contados de 05/02/2026",
        "R$ 100,00, fixado na decisão, menos R$ 40,00 já pagos em 10/02/2026: R$ 60,00.",
    )


def test_fine_due_on_the_printed_date(con):
    has(
        story(con, "multa_vencida", "I6"),
        "vale o vencimento impresso no auto, 28/02/2026 (sábado).",
        "Como 28/02/2026 é sábado e 01/03/2026 é domingo, passa para 02/03/2026",
        "O último dia para agir em tempo é esse mesmo, 02/03/2026 (segunda-feira).",
    )


def test_not_evaluated_says_what_is_missing(con):
    text = story(con, "multa_vencida", "I7")
    has(text, "NÃO AVALIADO", "Falta: - a data do vencimento (vence_em)", "seria um palpite")
    assert "inclusive, teria sido em tempo" not in text


def test_permits(con):
    has(
        story(con, "alvara_vencido", "A825"),
        "até o fim do ano da emissão (art. 13, § 1º). Acaba em 31/12/2025",
        "é o único da cadeia",
    )
    has(
        story(con, "alvara_vencido", "A408"),
        "São 2 títulos da mesma cadeia",
        "conta o que acaba mais tarde, o A408",
        "Acaba em 04/03/2026 (quarta-feira)",
        "daqui a 2 dias",
        "não passa para o dia útil seguinte",
    )


def test_vehicles(con):
    has(
        story(con, "veiculo_acima_da_idade", "V825"),
        "2019 + 6 = 2025",
        "31/12/2025 (quarta-feira)",
        "Consequência: retenção do veículo",
    )
    has(
        story(con, "substituicao_vencida", "V825"),
        "30 dias contados de 31/12/2025",
        "30/01/2026 (sexta-feira)",
        "não está baixado",
    )
    has(story(con, "declaracao_substituicao", "V825"), "Nos 180 dias anteriores", "não traz declaração nenhuma")
    has(
        story(con, "renovacao_pre_detran", "V408"),
        "29/04/2026 menos 30 dias é 30/03/2026 (segunda-feira)",
        "A408, acaba em 04/03/2026 (quarta-feira): antes do licenciamento",
    )


def test_every_finding_of_the_night_can_be_told(con):
    for (achado_id,) in con.execute("select achado_id from achados").fetchall():
        text = render_explanation(explain(con, achado_id))
        assert achado_id in text and "None" not in text
        assert "52998224725" not in text


def test_the_published_copy_tells_the_same(con, folder):
    from sql.warehouse import read_warehouse

    with read_warehouse(publish_snapshot(con, folder / "w.duckdb")) as copy:
        for check in ("pontos_cassacao", "substituicao_vencida", "alvara_vencido", "renovacao_pre_detran"):
            for (achado_id,) in con.execute("select achado_id from achados where verificacao = ?", [check]).fetchall():
                assert render_explanation(explain(copy, achado_id)) == render_explanation(explain(con, achado_id))


def test_found_by_the_start_by_the_digits_and_by_the_subject(con):
    achado_id = con.execute("select achado_id from achados where verificacao = 'pontos_cassacao'").fetchone()[0]
    for text in (achado_id, achado_id[:20], achado_id[-16:-8], " " + achado_id.split("-")[1].upper() + " "):
        assert explain(con, text).achado["achado_id"] == achado_id
    with pytest.raises(ExplainError, match=r"«V825» corresponde a 3 achados; escolha um:\n  \w"):
        explain(con, "V825")


def test_unknown_id(con):
    with pytest.raises(ExplainError, match=r"não há achado «pontos_cassaco-1».*\n  pontos_cassacao-") as error:
        explain(con, "pontos_cassaco-1")
    assert "P825" in str(error.value)
    with pytest.raises(ExplainError, match=r"coluna achado_id de achados\.csv"):
        explain(con, "xyz")
    with pytest.raises(ExplainError, match="não é uma execução"):
        explain(con, "pontos_cassacao", "2020-01-01")
    with pytest.raises(ExplainError, match="diga o identificador"):
        explain(con, "  ")


def test_command_while_a_night_is_running(con, folder, tmp_path, capsys):
    import shutil

    path = tmp_path / "w.duckdb"
    publish_snapshot(con, folder / "w.duckdb")
    shutil.copy(folder / "w.publicado.duckdb", tmp_path / "w.publicado.duckdb")
    code = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print(1, flush=True); sys.stdin.readline()"
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        other.stdout.readline()
        assert main(["explain", "pontos_cassacao", "--warehouse", str(path)]) == 0
    finally:
        other.communicate("\n", timeout=30)
    out, err = capsys.readouterr()
    assert "Somou 15 pontos" in out.replace("\n", " ")
    assert "cópia publicada" in err


def test_command_json_and_errors(con, folder, tmp_path, capsys):
    copy = str(publish_snapshot(con, folder / "w.duckdb"))
    assert main(["explain", "pontos_cassacao", "--warehouse", copy, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["evidencia"]["soma"] == 15 and data["operador"]["documento"] == "***.982.247-**"
    assert main(["explain", "nada", "--warehouse", copy]) == 2
    assert "não há achado «nada»" in capsys.readouterr().err
    assert main(["explain", "nada", "--warehouse", str(tmp_path / "x.duckdb")]) == 1
    assert "não existe. Rode antes" in capsys.readouterr().err


def test_the_time_left_or_gone_is_told_as_the_finding_has_it(con):
    rows = con.execute(
        "select min(achado_id) from achados"
        " where verificacao <> 'pontos_cassacao' group by situacao, devido_em is null, sign(dias)"
    ).fetchall()
    told = {"sem prazo": 0, "passou": 0, "na véspera": 0, "não avaliado": 0}
    for achado_id, *_ in rows:
        situation, due, days, check = con.execute(
            "select situacao, devido_em, dias, verificacao from achados where achado_id = $a", {"a": achado_id}
        ).fetchone()
        text = re.sub(r"\s+", " ", render_explanation(explain(con, achado_id)))
        if situation == "nao_avaliado":
            told["não avaliado"] += 1
            has(text, "Até lá nada se exige nem se ordena.", "Ninguém, por enquanto")
            assert "Consequência:" not in text
        elif due is None:
            told["sem prazo"] += 1
            has(text, "O caso não tem prazo que corra")
        elif days > 0 and not load_catalogue()[check].devido_e_fato:
            told["passou"] += 1
            has(text, f"o prazo acabou há {days} dia")
        elif days < 0:
            told["na véspera"] += 1
            has(text, "Ainda há tempo")
    assert all(told.values()), told
