"""The night end to end, without the orchestrator: results, exit codes, what a failure leaves."""

from __future__ import annotations

import csv
import hashlib
import logging
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import pytest

from flows.cli import main
from flows.noite import Evento, RunRequest
from flows.steps import run_nightly
from tests.flows.base import AS_OF, EXTRATOS, request, write_folder

#: By hand: permit until the end of its year; six years from 2018, declaration until then, 30 days more to replace
#: it; fine notified on 2 Feb + 15 days.
ESPERADO = {
    ("alvara_vencido", "A2", "violacao", "2025-12-31"),
    ("veiculo_acima_da_idade", "V2", "violacao", "2024-12-31"),
    ("declaracao_substituicao", "V2", "violacao", "2024-12-31"),
    ("substituicao_vencida", "V2", "violacao", "2025-01-30"),
    ("multa_vencida", "N1", "violacao", "2026-02-17"),
}


def findings(out: Path) -> list[dict[str, str]]:
    with (out / "achados.csv").open(encoding="utf-8-sig", newline="") as arquivo:
        return list(csv.DictReader(arquivo, delimiter=";"))


def of_interest(out: Path) -> set[tuple[str, str, str, str]]:
    ids = {e[0] for e in ESPERADO}
    return {
        (a["verificacao"], a["sujeito_id"], a["situacao"], a["devido_em"])
        for a in findings(out)
        if a["verificacao"] in ids and a["situacao"] != "nao_avaliado"
    }


@pytest.fixture
def pedido(tmp_path: Path) -> RunRequest:
    return request(tmp_path, write_folder(tmp_path / "entrada"))


def test_what_a_night_finds(pedido: RunRequest) -> None:
    resumo = run_nightly(pedido)
    assert resumo.erros == []
    assert resumo.codigo_saida == 0
    assert of_interest(pedido.out) == ESPERADO
    assert resumo.total("violacao") == sum(a["situacao"] == "violacao" for a in findings(pedido.out))
    for saida in resumo.saidas:
        assert Path(saida).stat().st_size > 0, saida
    assert {"achados.csv", "achados.parquet", "encerrados.csv", "relatorio.html"} <= {
        p.name for p in pedido.out.iterdir()
    }


def test_twice_changes_nothing(pedido: RunRequest) -> None:
    primeiro = run_nightly(pedido)
    antes = (pedido.out / "achados.csv").read_bytes()
    segundo = run_nightly(pedido)
    assert (pedido.out / "achados.csv").read_bytes() == antes
    assert segundo.execucao_id == primeiro.execucao_id
    with duckdb.connect(str(pedido.warehouse)) as con:
        linhas = con.execute("select count(*), count(distinct execucao_id) from achados_historico").fetchall()
        assert linhas == [(len(findings(pedido.out)), 1)]


def test_next_night_closes_what_was_cured(pedido: RunRequest, tmp_path: Path) -> None:
    run_nightly(pedido)
    pago = EXTRATOS["autos"].replace("100,00;;;;;;;;;;\nN2", "100,00;;;;;;;;;16/03/2026;100,00\nN2")
    pasta = write_folder(tmp_path / "amanha", autos=pago)
    resumo = run_nightly(replace(pedido, extracts=pasta, as_of=date(2026, 3, 17)))
    assert of_interest(pedido.out) == {e for e in ESPERADO if e[1] != "N1"}
    assert {a["estado"] for a in findings(pedido.out)} == {"persiste"}
    with (pedido.out / "encerrados.csv").open(encoding="utf-8-sig", newline="") as arquivo:
        causas = {(e["sujeito_id"], e["causa"]) for e in csv.DictReader(arquivo, delimiter=";")}
    assert causas == {("N1", "regularizado")}
    assert resumo.total("encerrados") == 1


def test_refused_extract_keeps_the_last_good_one(pedido: RunRequest, tmp_path: Path) -> None:
    run_nightly(pedido)
    pasta = write_folder(tmp_path / "ruim", alvaras="alvara_id;emitido_em\nA1;05/01/2026\n")
    resumo = run_nightly(replace(pedido, extracts=pasta, as_of=date(2026, 3, 17)))
    assert resumo.codigo_saida == 3
    assert resumo.erros == []
    assert of_interest(pedido.out) == ESPERADO
    defasado = next(c for c in resumo.cargas if c.situacao == "defasado")
    assert (defasado.extrato, defasado.origem_as_of) == ("alvaras", AS_OF)


def test_crashed_check_fails_the_night_and_spares_the_others(
    pedido: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checks.law import catalogue

    def quebrado(raiz: Path = catalogue.ROOT) -> dict[str, catalogue.CheckSpec]:
        specs = original(raiz)
        specs["multa_vencida"].__dict__["sql"] = "select * from nao_existe"
        return specs

    original = catalogue.load_catalogue
    monkeypatch.setattr(catalogue, "load_catalogue", quebrado)
    resumo = run_nightly(pedido)
    assert resumo.codigo_saida == 1
    assert any("multa_vencida" in e for e in resumo.erros)
    assert of_interest(pedido.out) == {e for e in ESPERADO if e[0] != "multa_vencida"}
    multas = [a for a in findings(pedido.out) if a["verificacao"] == "multa_vencida"]
    assert {(a["situacao"], a["sujeito_tipo"]) for a in multas} == {("nao_avaliado", "norma")}


def test_interrupted_night_is_remembered_and_never_in_force(pedido: RunRequest) -> None:
    run_nightly(pedido)
    (pedido.extracts / "permissionarios.csv").unlink()
    vazia = replace(pedido, as_of=date(2026, 3, 17), overrides=pedido.extracts / "alvaras.csv")
    resumo = run_nightly(vazia)
    assert resumo.codigo_saida == 1
    assert [e.nome for e in resumo.etapas if e.situacao == "falhou"] == ["normas"]
    with duckdb.connect(str(pedido.warehouse)) as con:
        assert con.execute("select max(as_of) from execucao_vigente").fetchall() == [(AS_OF,)]
        assert con.execute("select count(*) from execucao where situacao = 'interrompida'").fetchall() == [(1,)]


def test_simulation_touches_nothing(pedido: RunRequest) -> None:
    run_nightly(pedido)

    def digest() -> dict[str, str]:
        vigiados = [pedido.warehouse, *pedido.out.iterdir()]
        return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in vigiados if p.is_file()}

    antes = digest()
    resumo = run_nightly(replace(pedido, dry_run=True))
    assert resumo.simulacao
    assert resumo.codigo_saida == 0
    assert digest() == antes
    assert of_interest(pedido.out / "simulacao") == ESPERADO


def test_steps_are_told_and_timed(pedido: RunRequest) -> None:
    eventos: list[Evento] = []
    resumo = run_nightly(pedido, on_step=eventos.append)
    assert [e.passo.nome for e in eventos if e.etapa] == [e.nome for e in resumo.etapas]
    assert sum(e.detalhe is None for e in eventos) == 2 * len(resumo.etapas)
    assert all(e.segundos >= 0 and e.pico_mb > 0 for e in resumo.etapas)
    assert set(next(e for e in resumo.etapas if e.nome == "verificacoes").partes) >= {e[0] for e in ESPERADO}


def test_logs_carry_no_person(pedido: RunRequest, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="emdia"):
        run_nightly(pedido)
    assert caplog.records
    for pessoal in ("Ana", "Bento", "Viação", "52998224725", "529.982.247-25", "ABC1D23"):
        assert pessoal not in caplog.text


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pasta = write_folder(tmp_path / "entrada")
    argumentos = ["run", "--extracts", str(pasta), "--as-of", AS_OF.isoformat(), "--direct"]
    argumentos += ["--warehouse", str(tmp_path / "w.duckdb"), "--out", str(tmp_path / "saida")]
    assert main(argumentos) == 0
    lido = capsys.readouterr()
    assert "Noite de 16/03/2026 — CONCLUÍDA" in lido.out
    assert "autos.csv" in lido.out
    assert "multa_vencida" in lido.out
    assert "Aplicar as normas" in lido.err  # progress, away from what a machine reads


def test_extract_that_came_before_and_not_today_is_announced(pedido: RunRequest, tmp_path: Path) -> None:
    from reports.console import render_summary

    primeira = run_nightly(pedido)
    assert not [c for c in primeira.cargas if c.situacao == "ausente"]
    pasta = write_folder(tmp_path / "amanha")
    (pasta / "autos.csv").unlink()
    resumo = run_nightly(replace(pedido, extracts=pasta, as_of=date(2026, 3, 17)))
    assert resumo.codigo_saida == 0
    texto = "\n".join(render_summary(resumo))
    assert texto.splitlines()[2].startswith("  Atenção: autos não veio hoje; veio em 16/03/2026; as verificações ")
    assert "ficam sem avaliação" in texto
    assert "ausente (veio em 16/03/2026)" in texto
    assert "ausente" not in "\n".join(render_summary(primeira))
    pagina = (pedido.out / "relatorio.html").read_text(encoding="utf-8")
    assert (
        pagina.index("autos") < pagina.index("não veio hoje; veio em 16/03/2026") < pagina.index("A noite em números")
    )


def test_a_refused_file_is_never_said_to_be_in_force(pedido: RunRequest, tmp_path: Path) -> None:
    from reports.console import render_summary

    ruim = {"alvaras": "alvara_id;emitido_em\nA1;05/01/2026\n"}
    primeira = run_nightly(replace(pedido, extracts=write_folder(tmp_path / "ruim", **ruim)))
    assert "RECUSADO" in "\n".join(render_summary(primeira))
    assert "vale o de" not in "\n".join(render_summary(primeira))
    run_nightly(pedido)
    segunda = run_nightly(replace(pedido, extracts=tmp_path / "ruim", as_of=date(2026, 3, 17)))
    linhas = [x for x in render_summary(segunda) if "vale o de" in x]
    assert len(linhas) == 1
    assert "DEFASADO (vale o de 16/03/2026)" in linhas[0]


def test_hints_run_as_printed(pedido: RunRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    from reports.console import render_summary
    from reports.dicas import command

    monkeypatch.setenv("EMDIA_CHAMADO", "./bin/emdia")
    resumo = run_nightly(replace(pedido, dry_run=True))
    texto = "\n".join(render_summary(resumo))
    banco = pedido.out / "simulacao" / "w.duckdb"
    assert f"Banco da simulação: {banco}" in texto
    assert f"./bin/emdia diff --warehouse {banco}" in texto
    assert f"./bin/emdia explain {resumo.exemplo} --warehouse {banco}" in texto
    assert "Ajustes do município aplicados: nenhum" in texto
    assert main(["explain", str(resumo.exemplo), "--warehouse", str(banco)]) == 0
    monkeypatch.delenv("EMDIA_CHAMADO")
    assert command("explain", "x", warehouse="var/emdia.duckdb") == "emdia explain x"


def test_gate_warnings_reach_the_terminal() -> None:
    from reports.console import render_summary
    from reports.resumo import Resumo

    resumo = Resumo(AS_OF, "e", "w", conferencia=[f"aviso {n}" for n in range(7)])
    texto = "\n".join(render_summary(resumo))
    assert "Conferência da carga: 7 avisos; veja relatorio.html" in texto
    assert "aviso 4" in texto
    assert "aviso 5" not in texto
    assert "e mais 2" in texto


def test_a_failed_night_leaves_a_page_that_says_so(pedido: RunRequest, tmp_path: Path) -> None:
    run_nightly(pedido)
    pagina = pedido.out / "relatorio.html"
    assert "Concluída" in pagina.read_text(encoding="utf-8")
    falha = run_nightly(replace(pedido, as_of=date(2026, 3, 17), overrides=pedido.extracts / "autos.csv"))
    assert falha.codigo_saida == 1
    texto = pagina.read_text(encoding="utf-8")
    assert "Concluída" not in texto
    assert texto.index("FALHOU") < texto.index("17/03/2026") < texto.index("Carregar as normas")
    assert str(pagina) in falha.saidas


def test_the_failure_page_runs_the_same_night_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EMDIA_CHAMADO", raising=False)
    write_folder(tmp_path / "entrada")
    (tmp_path / "m.toml").write_text("municipio = 'X'\n", encoding="utf-8")
    (tmp_path / "ajustes.toml").write_text("[[ajuste]\n", encoding="utf-8")
    pedido = ["run", "--extracts", "entrada", "--as-of", "2026-03-16", "--config", "m.toml", "--overrides"]
    pedido += ["ajustes.toml", "--out", "fora"]
    assert main([*pedido, "--direct"]) == 1
    texto = (tmp_path / "fora" / "relatorio.html").read_text(encoding="utf-8")
    assert f"<code>emdia {' '.join(pedido)}</code>" in texto
    assert main([*pedido, "--direct", "--dry-run"]) == 1
    texto = (tmp_path / "fora" / "simulacao" / "relatorio.html").read_text(encoding="utf-8")
    assert f"<code>emdia {' '.join(pedido)} --dry-run</code>" in texto


def test_a_failed_simulation_offers_nothing_to_compare(pedido: RunRequest) -> None:
    from reports.console import render_summary

    falha = run_nightly(replace(pedido, dry_run=True, overrides=pedido.extracts / "autos.csv"))
    assert falha.codigo_saida == 1
    texto = "\n".join(render_summary(falha))
    assert "nada do que vale foi alterado" in texto
    assert "diff" not in texto and "Ajustes do município aplicados" not in texto


def test_an_interrupted_night_leaves_a_page_that_says_so(pedido: RunRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    from checks.law import engine

    def interrompido(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "run_checks", interrompido)
    with pytest.raises(KeyboardInterrupt):
        run_nightly(pedido)
    texto = (pedido.out / "relatorio.html").read_text(encoding="utf-8")
    assert "FALHOU" in texto
    assert "a execução foi interrompida" in texto


def test_a_report_that_can_not_be_written_takes_the_old_one_away(
    pedido: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reports import relatorio

    def sem_disco(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    run_nightly(pedido)
    monkeypatch.setattr(relatorio, "write_report", sem_disco)
    resumo = run_nightly(pedido)
    assert resumo.codigo_saida == 1
    assert any("o disco está cheio" in erro for erro in resumo.erros), resumo.erros
    assert "Escrever o relatório" in (pedido.out / "relatorio.html").read_text(encoding="utf-8")


def test_a_date_to_come_is_announced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.relogio.now", lambda fuso: datetime(2026, 3, 16, 12, tzinfo=ZoneInfo(fuso)))
    pasta = write_folder(tmp_path / "e")
    comando = ["run", "--direct", "--extracts", str(pasta), "--out", str(tmp_path / "s")]
    comando += ["--warehouse", str(tmp_path / "w.duckdb"), "--as-of"]
    assert main([*comando, "2026-03-16"]) == 0
    assert "ainda não chegou" not in capsys.readouterr().err
    assert main([*comando, "2026-03-17"]) == 0
    assert "Atenção: 17/03/2026 ainda não chegou" in capsys.readouterr().err
