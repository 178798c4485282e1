"""The two commands, as processes and by their exit codes."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from flows.cli import main

COMMAND = [sys.executable, "-c", "import sys; from flows.cli import main; sys.exit(main())"]


def test_it_serves_the_page_and_leaves_when_told(nights):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*COMMAND, "dashboard", "--warehouse", str(nights), "--port", str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/?norma=825/2021", timeout=30) as answer:
                    text = answer.read().decode()
                    break
            except OSError:
                assert time.monotonic() < deadline and process.poll() is None
                time.sleep(0.1)
        assert 'id="total-cassacoes"' in text
        assert "server" not in {k.lower() for k in answer.headers}
        # Data of another year, whatever today is: never shown as today's.
        assert "Estes dados não são de hoje" in text or "data futura" in text
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
    assert re.search(r"GET inicio 200 \d+ ms papel=gestao quem=-", log)
    assert "825" not in log and "Traceback" not in log


def test_off_loopback_it_is_wrong_usage(nights, capsys):
    assert main(["dashboard", "--warehouse", str(nights), "--host", "0.0.0.0"]) == 2
    assert "sem login" in capsys.readouterr().err


def test_a_secret_is_never_read_from_a_file(tmp_path, capsys):
    file = tmp_path / "m.toml"
    file.write_text('[painel]\nlogin = "proxy"\nsegredo = "x"\n', encoding="utf-8")
    assert main(["dashboard", "--config", str(file)]) == 2
    assert "painel.segredo" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["70000", "-1"])
def test_a_port_that_does_not_exist(nights, port, capsys):
    assert main(["dashboard", "--warehouse", str(nights), f"--port={port}"]) == 2


def test_a_port_in_use_is_told(nights, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["dashboard", "--warehouse", str(nights), "--port", str(port)]) == 1
    assert f"porta {port}" in capsys.readouterr().err


def test_the_mailed_file(nights, tmp_path, capsys):
    out = tmp_path / "manha.html"
    assert main(["report", "--html", "--warehouse", str(nights), "--out", str(out)]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    assert 'id="total-cassacoes"' in out.read_text(encoding="utf-8")
    assert main(["report", "--warehouse", str(nights), "--out", str(out)]) == 0  # HTML is the only format
    assert main(["report", "--html", "--warehouse", str(tmp_path / "nada.duckdb"), "--out", str(out)]) == 1
    assert "Ainda não há cópia publicada" in capsys.readouterr().err
