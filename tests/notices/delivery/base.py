"""A municipality with nothing but findings, messages made by hand, and a clock that only goes forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from notices.delivery.eml import Sender
from notices.delivery.ledger import Ledger, ledger_path
from notices.delivery.run import Delivery
from notices.delivery.settings import SendingSettings
from notices.model import SEMANAL, Anexo, Item, Mensagem, message_key
from sql.warehouse import open_warehouse, published_path

AS_OF = date(2026, 11, 30)
DE = Sender("avisos@prefeitura.test", "Prefeitura de Exemplo")
FAST = SendingSettings(
    remetente=DE.endereco,
    producao=True,
    por_minuto=1_000_000,
    tentativas=2,
    espera_tentativa=0,
    novos_maximo=1_000_000,
    novos_fracao=Decimal(1),
    espera_banco=0,
)


class Relogio:
    """A clock for the ledger: each look is a millisecond later."""

    def __init__(self, inicio: datetime = datetime(2026, 11, 30, 7, tzinfo=UTC)) -> None:
        self.agora = inicio

    def __call__(self) -> datetime:
        self.agora += timedelta(milliseconds=1)
        return self.agora


RELOGIO = Relogio()
"""The clock of the tests: it never goes back, whoever looks."""


def item(achado: str, degrau: str = "semanal", **campos: Any) -> Item:
    padrao: dict[str, Any] = {
        "verificacao": "multa_vencida",
        "norma": "825/2021",
        "situacao": "violacao",
        "devido_em": AS_OF - timedelta(days=10),
        "valor": Decimal("100.00"),
    }
    return Item(achado, degrau, **{**padrao, **campos})


def message(
    quem: str,
    itens: Sequence[Item] | None = None,
    *,
    email: str | None = "",
    tipo: str = SEMANAL,
    as_of: date = AS_OF,
    **campos: Any,
) -> Mensagem:
    """A message to `quem`, about one finding of theirs unless told otherwise."""
    itens = [item(f"a-{quem}")] if itens is None else itens
    padrao = Mensagem(
        tipo=tipo,
        chave=message_key(tipo, quem, as_of, itens),
        normas=("825/2021",),
        destinatario_id=quem,
        destinatario_nome=f"Pessoa {quem}",
        destinatario_email=f"{quem.lower()}@cidade.test" if email == "" else email,
        assunto=f"Aviso da semana ({quem})",
        texto="Há uma multa vencida.\n.\nFrom aqui, com acento: ação.\n",
        html="<p>Há uma multa vencida.</p>\n<p>Ação.</p>\n",
        as_of=as_of,
        itens=tuple(itens),
        anexos=(Anexo("prazos.ics", "text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),),
    )
    return replace(padrao, **campos)


def compose(*mensagens: Mensagem) -> Callable[[duckdb.DuckDBPyConnection, date], Iterator[Mensagem]]:
    """A composer that says these, leaving out the steps told already, as the real one does."""

    def composer(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Mensagem]:
        contados = set(con.execute("select * from entregue").fetchall())
        for m in mensagens:
            itens = [i for i in m.itens if (m.destinatario_id, i.achado_id, i.degrau, i.reaberta) not in contados]
            if itens and len(itens) < len(m.itens):
                yield replace(m, itens=tuple(itens), chave=message_key(m.tipo, m.destinatario_id, m.as_of, itens))
            elif itens or not m.itens:
                yield m

    return composer


def nights(raiz: Path, violacoes: dict[date, int] | None = None) -> Path:
    """A warehouse with a night for each date, and that many violations; returns its path."""
    banco = raiz / "w.duckdb"
    with open_warehouse(banco) as con:
        for ordem, (dia, quantas) in enumerate(sorted((violacoes or {AS_OF: 1}).items()), 1):
            con.execute(
                "insert into execucao (execucao_id, ordem, as_of, situacao) values ($e, $o, $d, 'concluida')",
                {"e": f"e{ordem}", "o": ordem, "d": dia},
            )
            con.execute(
                "insert into resumo_historico values ($e, $d, '825/2021', 'multa_vencida', 'violacao', 'multa', 'novo',"
                " $n, null)",
                {"e": f"e{ordem}", "d": dia, "n": quantas},
            )
    return banco


def publish_findings(
    banco: Path, itens: Sequence[Item], as_of: date = AS_OF, encerrados: dict[str, date] | None = None
) -> None:
    """The published copy, with these findings standing and no others; `encerrados`: holder → when one closed."""
    copia = published_path(banco)
    nova = copia.with_suffix(".nova")
    with duckdb.connect(str(nova)) as con:
        con.execute("create table schema_versao as select 1 as versao, $d::date as as_of", {"d": as_of})
        con.execute(
            "create table achados (achado_id varchar, situacao varchar, devido_em date, valor decimal(18, 2),"
            " reaberta integer)"
        )
        con.execute("create table encerrados (permissionario_id varchar, encerrado_em date)")
        for quem, dia in (encerrados or {}).items():
            con.execute("insert into encerrados values ($q, $d)", {"q": quem, "d": dia})
        linhas = [(i.achado_id, i.situacao, i.devido_em, i.valor, i.reaberta) for i in itens]
        for inicio in range(0, len(linhas), 1000):
            lote = linhas[inicio : inicio + 1000]
            con.execute(
                f"insert into achados values {', '.join(['(?, ?, ?, ?, ?)'] * len(lote))}",
                [valor for linha in lote for valor in linha],
            )
    nova.replace(copia)


def delivery(banco: Path, settings: SendingSettings = FAST, **campos: Any) -> Delivery:
    padrao = Delivery(SEMANAL, AS_OF, banco, banco.parent / "caixa", settings, AS_OF, RELOGIO, DE)
    return replace(padrao, **campos)


def states(banco: Path) -> dict[str, str]:
    """Recipient → state of its last message."""
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        return {
            r["destinatario_id"]: r["estado"]
            for r in ledger.rows("select destinatario_id, estado from mensagem order by n")
        }
