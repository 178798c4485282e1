"""`emdia escalate --send` against a real server: those with an address get their list, once a night."""

from __future__ import annotations

import email
import email.policy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.cli import main
from tests.notices.delivery.smtp import SENHA, USUARIO, Caixa, Servidor, certificate, tls_context

CONFIG = """\
warehouse = "w.duckdb"
out = "saida"
[envio]
remetente = "avisos@prefeitura.test"
permitidos = ["@cidade.test"]
por_minuto = 100000
novos_fracao = 1
[escalada.destinatarios."408/2009"]
Prefeito = "gabinete@cidade.test"
CGF = "cgf@fora.test"
"""


@pytest.fixture
def caixa(tmp_path: Path) -> Iterator[tuple[Caixa, Servidor, Path]]:
    """A server that wants STARTTLS and a login, and the certificate it shows."""
    certificado = certificate(tmp_path)
    recebidas = Caixa()
    servidor = Servidor(recebidas, tls_context(*certificado))
    servidor.start()
    yield recebidas, servidor, certificado[0]
    servidor.stop()


def test_lists_reach_who_decides_once_a_night(
    warehouse: Path,
    tmp_path: Path,
    caixa: tuple[Caixa, Servidor, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recebidas, servidor, certificado = caixa
    for nome, valor in {
        "HOST": "127.0.0.1", "PORT": str(servidor.porta), "USER": USUARIO, "PASSWORD": SENHA,
        "CAFILE": str(certificado),
    }.items():  # fmt: skip
        monkeypatch.setenv(f"EMDIA_SMTP_{nome}", valor)
    shutil.copy(warehouse, tmp_path / "w.duckdb")
    (tmp_path / "m.toml").write_text(CONFIG, encoding="utf-8")
    pedido = ["escalate", "--config", str(tmp_path / "m.toml")]
    assert main(pedido) == 0
    assert not recebidas.recebidas
    assert main([*pedido, "--send"]) == 0, capsys.readouterr()
    ((_, dados),) = recebidas.recebidas  # outside the allow-list nobody is written to
    mensagem = email.message_from_bytes(dados, policy=email.policy.default)
    assert mensagem["To"].addresses[0].addr_spec == "gabinete@cidade.test"
    assert "Atos à espera (408/2009), Prefeito" in mensagem["Subject"]
    (planilha,) = mensagem.iter_attachments()
    assert planilha.get_filename() == "escalada-408-2009-prefeito-20261130.xlsx"
    escrita = tmp_path / "saida" / "escalada" / "2026-11-30" / planilha.get_filename()
    assert planilha.get_content() == escrita.read_bytes()
    assert main([*pedido, "--send"]) == 0
    assert len(recebidas.recebidas) == 1
