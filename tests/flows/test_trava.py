"""One run at a time per warehouse, and a lock that dies with its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.erros import ErroConhecido, OutraExecucao
from flows.trava import lock


def hold(banco: Path, segundos: float) -> subprocess.Popen[str]:
    codigo = (
        "import sys, time, pathlib\nfrom flows.trava import lock\n"
        f"with lock(pathlib.Path({str(banco)!r})):\n    print('tenho', flush=True); time.sleep({segundos})"
    )
    filho = subprocess.Popen([sys.executable, "-c", codigo], stdout=subprocess.PIPE, text=True)
    assert filho.stdout is not None
    assert filho.stdout.readline() == "tenho\n"
    return filho


def test_second_run_leaves_with_a_message(tmp_path: Path) -> None:
    banco = tmp_path / "w.duckdb"
    filho = hold(banco, 30)
    try:
        with pytest.raises(OutraExecucao, match=f"processo {filho.pid}") as erro, lock(banco):
            pass
        assert "--esperar" in str(erro.value)
    finally:
        filho.kill()
        filho.wait()
    with lock(banco):  # a killed holder leaves nothing behind
        pass


def test_second_run_waits(tmp_path: Path) -> None:
    banco = tmp_path / "w.duckdb"
    filho = hold(banco, 1)
    inicio = time.monotonic()
    with lock(banco, esperar=20):
        assert time.monotonic() - inicio < 15
        assert Path(f"{banco}.trava").read_text() == str(os.getpid())
    filho.wait()


def test_other_warehouses_are_free(tmp_path: Path) -> None:
    with lock(tmp_path / "a.duckdb"), lock(tmp_path / "b.duckdb"):
        pass


def test_a_folder_that_can_not_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "arquivo").touch()
    with (
        pytest.raises(ErroConhecido, match=r"pasta do banco, .*arquivo: .* --warehouse"),
        lock(tmp_path / "arquivo" / "w"),
    ):
        pass
