"""Looking without sending: the outbox, the dry run, a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from notices.delivery.ledger import Ledger, ledger_path
from notices.delivery.outbox import OutboxError, write_outbox
from notices.delivery.run import deliver, preview
from notices.delivery.settings import SendingSettings
from notices.delivery.status import render_report, sample_text
from tests.notices.delivery.base import RELOGIO, compose, delivery, message
from tests.notices.delivery.smtp import Caixa, Servidor


def files(pasta: Path) -> list[str]:
    return sorted(str(p.relative_to(pasta)) for p in pasta.rglob("*") if p.is_file())


def test_by_default_there_are_files_and_no_ledger(banco: Path) -> None:
    report = preview(
        delivery(banco, SendingSettings(), de=None),
        compose(message("P1"), message("P2", email=None), message("../../x;y", email="x@cidade.test")),
        escrever=True,
    )
    assert report.caixa is not None
    assert files(report.caixa) == ["00001-P1.eml", "00003-x_y.eml", "sem-endereco/00002-P2.eml"]
    assert b"To: " not in (report.caixa / "sem-endereco/00002-P2.eml").read_bytes().split(b"\r\n\r\n")[0]
    assert not ledger_path(banco).exists()
    assert report.codigo_saida == 0
    texto = "\n".join(render_report(report))
    assert "Nada foi enviado" in texto
    assert "não enviadas, sem endereço: 1" in texto


def test_a_second_look_takes_the_place_of_the_first(banco: Path) -> None:
    for quantas in (3, 1):
        report = preview(delivery(banco), compose(*(message(f"P{n}") for n in range(quantas))), escrever=True)
    assert report.caixa is not None
    assert files(report.caixa) == ["00001-P0.eml"]
    assert [p.name for p in report.caixa.parent.iterdir()] == [report.rodada]


def test_what_was_sent_is_not_in_the_next_outbox_and_the_ledger_stays(
    banco: Path, servidor: Servidor, caixa: Caixa
) -> None:
    deliver(delivery(banco), compose(message("P1")), servidor.server_config())
    with Ledger(ledger_path(banco), RELOGIO) as ledger:
        antes = list(ledger.db.iterdump())
    report = preview(delivery(banco), compose(message("P1"), message("P2")), escrever=True)
    assert report.caixa is not None
    assert files(report.caixa) == ["00001-P2.eml"]
    with Ledger(ledger_path(banco), RELOGIO) as ledger:
        assert list(ledger.db.iterdump()) == antes


def test_a_dry_run_writes_nothing_and_shows_one(banco: Path) -> None:
    antes = files(banco.parent)
    report = preview(
        delivery(banco),
        compose(message("P1", destinatario_nome="Ana\x1b[31m <script>", texto="Olá\x1b[2J\nmundo\n")),
        escrever=False,
    )
    assert files(banco.parent) == antes
    assert report.amostra is not None
    texto = sample_text(report.amostra)
    assert "Subject: Aviso da semana (P1)" in texto
    assert "mundo" in texto
    assert "[anexo: prazos.ics]" in texto
    assert "\x1b" not in texto


CHEIO = """
import resource, signal, sys
from pathlib import Path
from notices.delivery.outbox import OutboxError, write_outbox
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    write_outbox(Path(sys.argv[1]), "semanal-1", [("P1", "", lambda: b"novo"), ("P2", "", lambda: b"x" * 200_000)])
except OutboxError as erro:
    print(erro)
"""


def test_a_full_disk_leaves_the_earlier_outbox(tmp_path: Path) -> None:
    write_outbox(tmp_path, "semanal-1", [("P1", "", lambda: b"antigo")])
    feito = subprocess.run(
        [sys.executable, "-c", CHEIO, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "não foi possível escrever a caixa de saída" in feito.stdout, feito.stderr
    assert "Libere espaço" in feito.stdout
    assert {p: (tmp_path / p).read_bytes() for p in files(tmp_path)} == {"semanal-1/00001-P1.eml": b"antigo"}


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "arquivo").touch()
    with pytest.raises(OutboxError, match="nada foi enviado"):
        write_outbox(tmp_path / "arquivo", "semanal-1", [])
