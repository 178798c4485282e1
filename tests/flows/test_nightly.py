"""The Prefect flow: the same answers as the plain steps, and a state that tells the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from flows.embutido import TERMINAL_QUIETO
from flows.steps import run_nightly
from flows.trava import lock
from tests.flows.base import AS_OF, request, write_folder

pytestmark = [pytest.mark.prefect, pytest.mark.usefixtures("prefect_server")]


def run_flow(raiz: Path, pasta: Path, **outros: Any) -> Any:
    from flows.nightly import nightly

    return nightly(
        as_of=AS_OF,
        extracts=pasta,
        warehouse=raiz / "w.duckdb",
        out=raiz / "saida",
        return_state=True,
        **outros,
    )


def test_same_findings_as_direct(tmp_path: Path) -> None:
    pasta = write_folder(tmp_path / "entrada")
    estado = run_flow(tmp_path / "fluxo", pasta)
    assert estado.is_completed(), estado.message
    assert estado.name == "Completed"
    run_nightly(request(tmp_path / "direto", pasta))
    for nome in ("achados.csv", "encerrados.csv", "rejeitos.csv"):
        fluxo, direto = (tmp_path / r / "saida" / nome for r in ("fluxo", "direto"))
        assert fluxo.read_bytes() == direto.read_bytes(), nome


def test_tasks_and_artifacts(tmp_path: Path) -> None:
    from prefect import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId, FlowRunFilter, FlowRunFilterId

    estado = run_flow(tmp_path, write_folder(tmp_path / "entrada"))
    execucao = estado.state_details.flow_run_id
    with get_client(sync_client=True) as cliente:
        tarefas = cliente.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[execucao])))
        artefatos = cliente.read_artifacts(
            artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[execucao]))
        )
        assert cliente.read_flow_run(execucao).name == f"noite-{AS_OF}"
    assert {t.name for t in tarefas} >= {"ingerir", "portao", "verificacoes", "ledger", "publicar"}
    assert {a.type for a in artefatos} == {"markdown", "table"}
    texto = next(str(a.data) for a in artefatos if a.type == "markdown")
    assert "Violações: **" in texto
    assert "Ana" not in texto


def test_failure_is_a_failed_state(tmp_path: Path) -> None:
    pasta = write_folder(tmp_path / "entrada")
    estado = run_flow(tmp_path, pasta, overrides=pasta / "alvaras.csv")
    assert estado.is_failed()
    assert "Carregar as normas" in (estado.message or "")


def test_refused_extract_is_told_by_the_state(tmp_path: Path) -> None:
    pasta = write_folder(tmp_path / "entrada", autos="auto_id;codigo\nN1;26-II\n")
    estado = run_flow(tmp_path, pasta)
    assert estado.is_completed()
    assert estado.name == "Defasada"


def test_a_disk_hiccup_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows import nightly as fluxo
    from reports import publish as publicacao

    falhas = [OSError(5, "Input/output error")]
    original = publicacao.publish

    def instavel(*a: Any, **k: Any) -> Any:
        if falhas:
            raise falhas.pop()
        return original(*a, **k)

    monkeypatch.setattr(fluxo, "ESPERA_ENTRE_TENTATIVAS", 0)
    monkeypatch.setattr(publicacao, "publish", instavel)
    estado = run_flow(tmp_path, write_folder(tmp_path / "entrada"))
    assert estado.is_completed(), estado.message
    assert not falhas
    assert (tmp_path / "saida" / "achados.csv").exists()


def test_what_will_not_pass_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows import nightly as fluxo
    from reports import publish as publicacao

    vezes = []

    def quebrado(*_: Any, **__: Any) -> Any:
        vezes.append(1)
        raise ValueError("defeito na linha de Ana de Teste")

    monkeypatch.setattr(fluxo, "ESPERA_ENTRE_TENTATIVAS", 0)
    monkeypatch.setattr(publicacao, "publish", quebrado)
    estado = run_flow(tmp_path, write_folder(tmp_path / "entrada"))
    assert estado.is_failed()
    assert "ValueError" in (estado.message or "")
    assert "Ana" not in (estado.message or "")
    assert len(vezes) == 1
    assert (tmp_path / "saida" / "relatorio.html").exists()  # the next step went on


def test_command_line_on_prefect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pasta = write_folder(tmp_path / "entrada")
    argumentos = ["run", "--extracts", str(pasta), "--as-of", AS_OF.isoformat()]
    argumentos += ["--warehouse", str(tmp_path / "w.duckdb"), "--out", str(tmp_path / "saida")]
    for nome in TERMINAL_QUIETO:  # put back afterwards what the command sets
        monkeypatch.setenv(nome, "")
    assert main(argumentos) == 0
    assert "CONCLUÍDA" in capsys.readouterr().out
    assert main([*argumentos, "--overrides", str(pasta / "autos.csv")]) == 1
    lido = capsys.readouterr()
    assert "FALHOU" in lido.out
    assert "Traceback" not in lido.err


def test_second_run_is_told_who_holds_the_warehouse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pasta = write_folder(tmp_path / "entrada")
    banco = tmp_path / "w.duckdb"
    for nome in TERMINAL_QUIETO:
        monkeypatch.setenv(nome, "")
    with lock(banco):
        codigo = main(["run", "--extracts", str(pasta), "--warehouse", str(banco), "--as-of", "2026-03-16"])
    assert codigo == 1
    assert "outra execução" in capsys.readouterr().err
