"""What stops a sending: limits at both sides, and what exactly a person approves."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from notices.delivery.brakes import Pace, Violations, breaker, cancel, release
from notices.delivery.ledger import Ledger, LedgerError, ledger_path
from notices.delivery.queue import enqueue, run_id
from notices.delivery.reading import NoNight, night, open_reader, violations
from notices.delivery.run import NotSent, deliver, deliver_approved, preview
from notices.delivery.server import Server, ServerError, read_server
from notices.delivery.settings import SendingSettings
from sql.warehouse import WarehouseBusy, open_warehouse
from tests.notices.delivery.base import (
    AS_OF,
    DE,
    FAST,
    RELOGIO,
    compose,
    delivery,
    item,
    message,
    nights,
    states,
)
from tests.notices.delivery.smtp import Caixa, Servidor

RUN = run_id("semanal", AS_OF)


def limits(**campos: object) -> SendingSettings:
    return FAST.model_copy(update={"novos_minimo": 0, **campos})


def told_before(ledger: Ledger, quantos: int) -> None:
    """That many recipients got a notice the week before."""
    antes = [message(f"P{n}", [item(f"v{n}")], as_of=AS_OF - timedelta(7)) for n in range(quantos)]
    for chave in enqueue(ledger, "semanal", AS_OF - timedelta(7), antes, DE, FAST).prontas:
        ledger.change(chave, ("preparada",), "enviando")
        ledger.change(chave, ("enviando",), "enviada")


@pytest.mark.parametrize(
    ("novos", "antigos", "campos", "para"),
    [
        (3, 0, {"novos_maximo": 3}, False),
        (4, 0, {"novos_maximo": 3}, True),
        (3, 7, {"novos_fracao": Decimal("0.30")}, False),
        (4, 6, {"novos_fracao": Decimal("0.30")}, True),
        (4, 0, {"novos_fracao": Decimal("0.30"), "novos_minimo": 4}, False),
        (5, 0, {"novos_fracao": Decimal("0.30"), "novos_minimo": 4}, True),
    ],
)
def test_new_recipients(novos: int, antigos: int, campos: dict[str, object], para: bool) -> None:
    with Ledger(None, RELOGIO) as ledger:
        told_before(ledger, antigos)
        enqueue(ledger, "semanal", AS_OF, [message(f"P{n}") for n in range(novos + antigos)], DE, FAST)
        motivos = breaker(ledger, RUN, None, limits(**campos))
        assert bool(motivos) == para
        assert all(str(novos) in m for m in motivos)


@pytest.mark.parametrize(
    ("agora", "antes", "para"),
    [(150, 100, False), (151, 100, True), (20, 0, False), (21, 0, True), (500, None, False), (60, 100, False)],
)
def test_violations_that_jump(agora: int, antes: int | None, para: bool) -> None:
    with Ledger(None, RELOGIO) as ledger:
        enqueue(ledger, "semanal", AS_OF, [message("P1")], DE, FAST)
        settings = limits(salto_fracao=Decimal("0.50"), salto_minimo=20)
        assert bool(breaker(ledger, RUN, Violations(agora, antes), settings)) == para


def test_violations_of_the_nights(tmp_path: Path) -> None:
    dias = {AS_OF: 30, AS_OF - timedelta(1): 29, AS_OF - timedelta(7): 12, AS_OF - timedelta(9): 11}
    with open_warehouse(nights(tmp_path, dias)) as con:
        assert violations(con, AS_OF) == Violations(30, 12)
        assert violations(con, AS_OF - timedelta(1)) == Violations(29, 11)  # the last one at least a week older
        assert violations(con, AS_OF - timedelta(9)) == Violations(11, None)


def test_the_run_waits_for_a_person(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    pedido = delivery(banco, limits(novos_maximo=2))
    todos = [message(f"P{n}") for n in range(3)]
    config = servidor.server_config()
    for _ in range(2):  # asking again is no approval
        report = deliver(pedido, compose(*todos), config)
        assert report.codigo_saida == 1
        assert report.motivos == ["3 destinatários nunca receberam aviso (limite: 2)"]
    assert caixa.recebidas == []
    with Ledger(ledger_path(banco), RELOGIO) as ledger:
        assert ledger.rows("select situacao from rodada")[0][0] == "aguarda"
        with pytest.raises(LedgerError, match="não há rodada"):
            release(ledger, "semanal-20990101", "eu")
        assert release(ledger, RUN, "eu") == 3
    assert deliver_approved(pedido, config).enviadas == 3
    assert deliver(pedido, compose(*todos), config).codigo_saida == 0
    assert set(caixa.ids().values()) == {1}


def test_what_is_approved_is_what_was_seen(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    pedido = delivery(banco, limits(novos_maximo=2))
    todos = [message(f"P{n}") for n in range(3)]
    deliver(pedido, compose(*todos), servidor.server_config())
    with Ledger(ledger_path(banco), RELOGIO) as ledger:
        release(ledger, RUN, "eu")
    mais = [message(f"Q{n}") for n in range(3)]
    report = deliver(pedido, compose(*todos, *mais), servidor.server_config())
    assert sorted(quem for quem, _ in caixa.recebidas) == ["p0", "p1", "p2"]
    assert report.motivos == ["3 destinatários nunca receberam aviso (limite: 2)"]


def test_a_rejected_run_is_composed_anew(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    todos = [message(f"P{n}") for n in range(3)]
    deliver(delivery(banco, limits(novos_maximo=2)), compose(*todos), servidor.server_config())
    with Ledger(ledger_path(banco), RELOGIO) as ledger:
        assert cancel(ledger, RUN, "eu") == 3
    assert set(states(banco).values()) == {"suprimida"}
    deliver(delivery(banco), compose(*todos), servidor.server_config())
    assert len(caixa.recebidas) == 3


def test_outside_production_only_the_list_is_written_to(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    fechado = FAST.model_copy(update={"producao": False})
    with pytest.raises(NotSent, match="fora de produção"):
        deliver(delivery(banco, fechado), compose(message("P1")), servidor.server_config())
    aberto = fechado.model_copy(update={"permitidos": ("p2@cidade.test",)})
    deliver(delivery(banco, aberto), compose(message("P1"), message("P2")), servidor.server_config())
    assert [quem for quem, _ in caixa.recebidas] == ["p2"]


def test_without_a_sender_nothing_is_sent(banco: Path, servidor: Servidor) -> None:
    with pytest.raises(NotSent, match="remetente"):
        deliver(delivery(banco, de=None), compose(message("P1")), servidor.server_config())


@pytest.mark.parametrize(("dias", "recusa"), [(3, False), (4, True)])
def test_old_data_demand_nothing(banco: Path, servidor: Servidor, dias: int, recusa: bool) -> None:
    pedido = delivery(banco, as_of=None, hoje=AS_OF + timedelta(dias))
    if recusa:
        with pytest.raises(NotSent, match="velhos demais"):
            deliver(pedido, compose(message("P1")), servidor.server_config())
    else:
        assert deliver(pedido, compose(message("P1")), servidor.server_config()).codigo_saida == 0


@pytest.mark.parametrize("pedida", [None, AS_OF])
def test_a_day_to_come_is_not_told_as_if_it_were_here(
    banco: Path, servidor: Servidor, caixa: Caixa, pedida: date | None
) -> None:
    pedido = delivery(banco, as_of=pedida, hoje=AS_OF - timedelta(1))
    with pytest.raises(NotSent, match="30/11/2026 ainda não chegou"):
        deliver(pedido, compose(message("P1")), servidor.server_config())
    assert caixa.recebidas == []
    assert preview(pedido, compose(message("P1")), escrever=False).fila.prontas  # to be looked at, it may be composed


def test_the_past_is_not_sent_after_the_present(tmp_path: Path, servidor: Servidor) -> None:
    ontem = AS_OF - timedelta(1)
    banco = nights(tmp_path, {AS_OF: 1, ontem: 1})
    deliver(delivery(banco), compose(message("P1")), servidor.server_config())
    with pytest.raises(NotSent, match="não se envia o passado"):
        deliver(delivery(banco, as_of=ontem), compose(message("P2", as_of=ontem)), servidor.server_config())


def test_nights(tmp_path: Path) -> None:
    banco = nights(tmp_path)
    with open_reader(banco, ledger_path(banco), 0) as con:
        assert night(con, None) == night(con, AS_OF) == AS_OF
        with pytest.raises(NoNight, match=r"não há noite de 29/11/2026 no banco \(a última é 30/11/2026\)"):
            night(con, date(2026, 11, 29))
    with open_warehouse(tmp_path / "vazio.duckdb"):
        pass
    with open_reader(tmp_path / "vazio.duckdb", tmp_path / "n", 0) as con, pytest.raises(NoNight, match="nenhuma"):
        night(con, None)


def test_a_warehouse_in_use_is_said_so(banco: Path, servidor: Servidor) -> None:
    with open_warehouse(banco), pytest.raises(WarehouseBusy, match="em uso"):
        deliver(delivery(banco), compose(message("P1")), servidor.server_config())


def test_pace() -> None:
    hora, dormidas = [0.0], []

    def dorme(segundos: float) -> None:
        dormidas.append(segundos)
        hora[0] += segundos

    pace = Pace(120, dorme, lambda: hora[0])
    for _ in range(4):
        pace.wait()
    assert dormidas == [0.5, 0.5, 0.5]
    hora[0] += 10  # time lost is not made up for in a burst
    pace.wait()
    pace.wait()
    assert dormidas == [0.5] * 4


def secreto(nome: str) -> str:
    return f"do-bloco-{nome}"


def test_the_server_comes_from_the_environment(tmp_path: Path) -> None:
    ambiente = {"EMDIA_SMTP_HOST": "correio.test", "EMDIA_SMTP_USER": "avisos", "EMDIA_SMTP_PASSWORD": "x"}
    assert read_server(ambiente, secreto) == Server("correio.test", 587, "starttls", "avisos", "x")
    assert "'x'" not in repr(read_server(ambiente, secreto))
    assert read_server({**ambiente, "EMDIA_SMTP_SECURITY": "SSL"}, secreto).porta == 465
    assert read_server({**ambiente, "EMDIA_SMTP_PASSWORD_BLOCK": "smtp"}, secreto).senha == "do-bloco-smtp"
    local = read_server({"EMDIA_SMTP_HOST": "localhost", "EMDIA_SMTP_SECURITY": "nenhuma"}, secreto)
    assert (local.porta, local.usuario) == (25, None)


@pytest.mark.parametrize(
    ("ambiente", "diz"),
    [
        ({}, "defina EMDIA_SMTP_HOST"),
        ({"HOST": "x", "USER": "u"}, "a senha não"),  # yagmail would ask at the terminal
        ({"HOST": "x", "SECURITY": "tls"}, "use starttls, ssl"),
        ({"HOST": "x", "SECURITY": "nenhuma"}, "desta máquina"),
        ({"HOST": "127.0.0.1", "SECURITY": "nenhuma", "USER": "u", "PASSWORD": "p"}, "sem senha"),
        ({"HOST": "x", "PORT": "abc"}, "EMDIA_SMTP_PORT"),
        ({"HOST": "x", "TIMEOUT": "0"}, "EMDIA_SMTP_TIMEOUT"),
        ({"HOST": "x", "CAFILE": "/nao/existe"}, "EMDIA_SMTP_CAFILE"),
    ],
)
def test_a_server_not_safely_configured(ambiente: dict[str, str], diz: str) -> None:
    with pytest.raises(ServerError, match=diz):
        read_server({f"EMDIA_SMTP_{k}": v for k, v in ambiente.items()}, secreto)
