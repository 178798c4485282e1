"""`emdia notify` over a real night, against a server that wants STARTTLS and a login."""

from __future__ import annotations

import email
import email.policy
import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from flows.cli import main
from flows.steps import run_nightly
from flows.trava import lock
from notices.delivery.ledger import ledger_path
from tests.flows.base import request, write_folder
from tests.notices.delivery.smtp import SENHA, USUARIO, Caixa, Servidor

RAIZ = Path(__file__).parents[3]
HOSTIL = "Ana \"=cmd|' /C calc'!A0\" <script>alert(1)</script>"
PERMISSIONARIOS = f"""\
permissionario_id;norma;nome;tipo_pessoa;documento;email
P1;825/2021;{HOSTIL};PF;529.982.247-25;ana@cidade.test
P2;825/2021;Bento de Teste;PF;111.444.777-35;
P3;408/2009;Viação de Teste;PJ;11.222.333/0001-81;viacao@cidade.test
"""
CONFIG = """\
warehouse = "w.duckdb"
out = "saida"
[envio]
remetente = "avisos@prefeitura.test"
remetente_nome = "Prefeitura de São João"
permitidos = ["@cidade.test"]
por_minuto = 100000
novos_maximo = {novos}
novos_fracao = 1
"""


@pytest.fixture(scope="session")
def noite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    raiz = tmp_path_factory.mktemp("noite")
    pasta = write_folder(raiz / "entrada", permissionarios=PERMISSIONARIOS)
    assert run_nightly(request(raiz, pasta)).codigo_saida == 0
    return raiz


@pytest.fixture
def raiz(
    noite: Path,
    tmp_path: Path,
    servidor_tls: Servidor,
    certificado: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A copy of the night, its settings, and the server in the environment."""
    for nome in ("w.duckdb", "w.publicado.duckdb"):
        shutil.copy(noite / nome, tmp_path / nome)
    (tmp_path / "m.toml").write_text(CONFIG.format(novos=50), encoding="utf-8")
    for nome, valor in {
        "HOST": "127.0.0.1",
        "PORT": str(servidor_tls.porta),
        "USER": USUARIO,
        "PASSWORD": SENHA,
        "CAFILE": str(certificado[0]),
    }.items():
        monkeypatch.setenv(f"EMDIA_SMTP_{nome}", valor)
    return tmp_path


def notify(raiz: Path, *argumentos: str) -> int:
    return main(["notify", *argumentos, "--config", str(raiz / "m.toml")])


def test_by_default_nothing_is_sent(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    assert notify(raiz, "--weekly") == 0
    dito = capsys.readouterr().out
    assert "Nada foi enviado" in dito
    emls = sorted((raiz / "saida/avisos/semanal-20260316").rglob("*.eml"))
    assert [e.name for e in emls if e.parent.name == "sem-endereco"] == ["00002-P2.eml"]
    m: Any = email.message_from_bytes(emls[0].read_bytes(), policy=email.policy.default)
    assert m["To"].addresses[0].addr_spec == "ana@cidade.test"
    assert "<script>" not in m.get_body(("html",)).get_content()
    assert not ledger_path(raiz / "w.duckdb").exists()
    assert caixa.logins == []


def test_sent_once_proved_and_published(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 0
    chegaram = [quem for quem, _ in caixa.recebidas]
    assert chegaram[0] == "ana"
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 0
    assert [quem for quem, _ in caixa.recebidas] == chegaram
    assert caixa.logins == [USUARIO]  # the second run had nobody to write to, and didn't connect
    capsys.readouterr()
    assert notify(raiz, "status") == 0
    dito = capsys.readouterr().out
    assert "semanal-20260316" in dito
    assert "P2  —  sem endereço" in dito
    chave = str(email.message_from_bytes(caixa.recebidas[0][1])["Message-ID"])[1:].split("@")[0]
    assert notify(raiz, "proof", chave, "--out", str(raiz / "prova")) == 0
    assert "enviando → enviada  250 2.0.0 guardada como 1" in capsys.readouterr().out
    assert (raiz / "prova" / f"{chave}.eml").read_bytes() == caixa.recebidas[0][1]
    with duckdb.connect(str(raiz / "w.entregas.publicado.duckdb"), read_only=True) as con:
        estados = dict(con.execute("select destinatario_id, estado from mensagens").fetchall())
        assert estados["P1"] == "enviada"
        assert estados["P2"] == "suprimida"
        texto = str([con.execute(f"from {t}").fetchall() for (t,) in con.execute("show tables").fetchall()])
    assert "cidade.test" not in texto
    assert "Ana" not in texto
    assert SENHA not in texto


def test_a_fine_paid_since_is_not_demanded(raiz: Path, caixa: Caixa) -> None:
    (raiz / "m.toml").write_text(CONFIG.format(novos=0), encoding="utf-8")
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 1  # waits for a person
    assert caixa.recebidas == []
    with duckdb.connect(str(raiz / "w.publicado.duckdb")) as con:  # as the next night would publish it
        con.execute("delete from achados where permissionario_id = 'P1' and verificacao = 'multa_vencida'")
    assert notify(raiz, "approve", "semanal-20260316", "--send") == 0
    assert "ana" not in [quem for quem, _ in caixa.recebidas]


def test_waiting_approving_rejecting(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    (raiz / "m.toml").write_text(CONFIG.format(novos=0), encoding="utf-8")
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 1
    assert "emdia notify approve semanal-20260316 --send" in capsys.readouterr().out
    assert notify(raiz, "approve", "semanal-20260316", "--send") == 0
    assert [quem for quem, _ in caixa.recebidas][:1] == ["ana"]
    assert notify(raiz, "approve", "semanal-20990101") == 1
    assert "não há rodada semanal-20990101" in capsys.readouterr().err
    assert notify(raiz, "--immediate", "--as-of", "2026-03-16", "--dry-run") == 0
    assert notify(raiz, "reject", "semanal-20260316") == 0


def test_pause_and_resume(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    assert notify(raiz, "pause", "*", "--motivo", "liminar") == 0
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 0
    assert caixa.recebidas == []
    capsys.readouterr()
    assert notify(raiz, "status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["pausas"][0]["motivo"] == "liminar"
    assert notify(raiz, "resume", "*") == 0
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 0
    assert [quem for quem, _ in caixa.recebidas][:1] == ["ana"]


def test_resolving(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    caixa.depois["ana"] = 1
    assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 1
    capsys.readouterr()
    notify(raiz, "status", "--json")
    (incerta,) = json.loads(capsys.readouterr().out)["incertas"]
    assert notify(raiz, "resolve", incerta["chave"]) == 2
    assert notify(raiz, "resolve", incerta["chave"], "--chegou") == 0
    assert notify(raiz, "resolve", incerta["chave"], "--chegou") == 1
    assert notify(raiz, "unblock", "*") == 0


def test_one_sender_at_a_time(raiz: Path, caixa: Caixa, capsys: pytest.CaptureFixture[str]) -> None:
    with lock(ledger_path(raiz / "w.duckdb")):
        assert notify(raiz, "--weekly", "--as-of", "2026-03-16", "--send") == 1
    assert "outra execução" in capsys.readouterr().err
    assert caixa.recebidas == []


@pytest.mark.parametrize(
    ("argumentos", "diz"),
    [
        ([], "--weekly ou --immediate"),
        (["--weekly", "--immediate"], "--weekly ou --immediate"),
        (["--weekly", "--as-of", "2026-03-15"], "não há noite de 15/03/2026"),
        (["--weekly", "--send"], "velhos demais"),
        (["pause", "825-2021"], "não há norma 825-2021; há 1343/1994"),
    ],
)
def test_wrong_usage(raiz: Path, capsys: pytest.CaptureFixture[str], argumentos: list[str], diz: str) -> None:
    assert notify(raiz, *argumentos) == 2
    assert diz in capsys.readouterr().err


def test_no_ledger_yet(raiz: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert notify(raiz, "--weekly") == 0  # composed, not sent
    capsys.readouterr()
    assert notify(raiz, "status") == 0
    assert "Nada foi enviado deste banco ainda" in capsys.readouterr().out
    assert notify(raiz, "status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["rodadas"] == []
    assert not ledger_path(raiz / "w.duckdb").exists()
    assert notify(raiz, "approve", "semanal-20260301") == 1  # there is no such run to release
    assert "nada foi enviado" in capsys.readouterr().err


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_server")
def test_the_flow_sends_with_a_secret_block(
    raiz: Path, caixa: Caixa, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from datetime import date

    from prefect.blocks.system import Secret

    from flows.notices import weekly_notices

    bloco: Any = Secret(value=SENHA)
    bloco.save("correio-de-teste", overwrite=True)
    monkeypatch.delenv("EMDIA_SMTP_PASSWORD")
    monkeypatch.setenv("EMDIA_SMTP_PASSWORD_BLOCK", "correio-de-teste")
    argumentos: dict[str, Any] = {"as_of": date(2026, 3, 16), "config": raiz / "m.toml", "return_state": True}
    estado: Any = weekly_notices(**argumentos)  # by default the outbox
    assert estado.is_completed(), estado.message
    assert caixa.recebidas == []
    estado = weekly_notices(**argumentos, send=True)
    assert estado.is_completed(), estado.message
    assert [quem for quem, _ in caixa.recebidas][:1] == ["ana"]
    assert SENHA not in caplog.text
    monkeypatch.setenv("EMDIA_SMTP_PASSWORD_BLOCK", "nao-existe")
    estado = weekly_notices(**argumentos, send=True)
    assert estado.is_failed()
    assert "bloco Secret" in estado.message


def test_the_deployments_of_a_worker() -> None:
    import yaml

    arquivo = yaml.safe_load((RAIZ / "deployments/prefect.yaml").read_text(encoding="utf-8"))
    avisos = {d["entrypoint"]: d for d in arquivo["deployments"] if "notices" in d["entrypoint"]}
    assert {e: d["schedules"][0]["cron"] for e, d in avisos.items()} == {
        "flows/notices.py:weekly_notices": "0 7 * * 1",
        "flows/notices.py:immediate_notices": "0 7 * * *",
    }
    assert {d["schedules"][0]["timezone"] for d in avisos.values()} == {"America/Bahia"}
    assert not [d for d in avisos.values() if d["parameters"].get("send")]


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_server")
def test_the_schedules(tmp_path: Path) -> None:
    from flows.servico import notice_deployments
    from flows.settings import load_settings

    settings = load_settings(extracts=tmp_path, warehouse=Path("jequie.duckdb"))
    semanal, imediato = notice_deployments(None, settings)
    assert (semanal.name, imediato.name) == ("jequie-semanal", "jequie-imediato")
    for implantacao, cron in ((semanal, "0 7 * * 1"), (imediato, "0 7 * * *")):
        (agenda,) = implantacao.schedules or []
        quando: Any = agenda.schedule
        assert (quando.cron, quando.timezone) == (cron, "America/Bahia")
        assert implantacao.parameters["send"] is False
        assert Path(implantacao.parameters["warehouse"]).is_absolute()


def test_doctor_says_what_sending_would_miss_and_no_value(
    raiz: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def correio() -> str:
        main(["doctor", "--config", str(raiz / "m.toml")])
        return next(linha for linha in capsys.readouterr().out.splitlines() if "Correio" in linha)

    tudo = correio()
    assert "servidor e remetente definidos" in tudo
    assert SENHA not in tudo and USUARIO not in tudo
    monkeypatch.delenv("EMDIA_SMTP_PASSWORD")
    assert "falta EMDIA_SMTP_PASSWORD ou EMDIA_SMTP_PASSWORD_BLOCK" in correio()
    monkeypatch.delenv("EMDIA_SMTP_HOST")
    assert "falta EMDIA_SMTP_HOST, EMDIA_SMTP_PASSWORD" in correio()
