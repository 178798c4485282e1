"""Whether what was composed still holds: a finding cured, paid, waived or changed is not demanded."""

from __future__ import annotations

import logging
import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb

from notices.delivery.ledger import Ledger
from notices.model import PRAZO_ABERTO

log = logging.getLogger("emdia.avisos")

Standing = tuple[str, str | None, Decimal | None, int]  # situacao, devido_em (ISO), valor, reaberta


class Standings:
    """The findings of the published copy, read again whenever a new one takes its place.

    `copia` is the published file (`sql.warehouse.published_path`). Without one, or with one older than the message,
    nothing can be said and everything stands: composing has read the same data, or newer.
    """

    def __init__(self, copia: Path) -> None:
        self.copia = copia
        self.as_of: date | None = None
        self._versao: tuple[int, int] | None = None
        self._achados: dict[str, Standing] = {}
        self._encerrados: dict[str, date] = {}

    def refresh(self) -> None:
        """Look whether the copy is another one, and read it."""
        try:
            estado = self.copia.stat()
        except FileNotFoundError:
            return
        versao = (estado.st_ino, estado.st_mtime_ns)
        if versao == self._versao:
            return
        with duckdb.connect(str(self.copia), read_only=True) as con:
            self.as_of = con.execute("select max(as_of) from schema_versao").fetchall()[0][0]
            self._achados = {
                achado: (situacao, devido.isoformat() if devido else None, valor, reaberta or 0)
                for achado, situacao, devido, valor, reaberta in con.execute(
                    "select achado_id, situacao, devido_em, valor, reaberta from achados where situacao in"
                    " ('violacao', 'a_vencer', 'para_decisao')"
                ).fetchall()
            }
            # A message speaks of more than its steps: what closed since makes the whole of it out of date.
            self._encerrados = dict(
                con.execute(
                    "select permissionario_id, max(encerrado_em) from encerrados where permissionario_id is not null"
                    " group by 1"
                ).fetchall()
            )
        self._versao = versao
        log.info("situação dos achados lida: %d em %s", len(self._achados), self.as_of)

    def _open_term(self, item: sqlite3.Row) -> bool:
        """A term of defence or appeal is no finding: it stands while its last day hasn't passed."""
        if item["situacao"] != PRAZO_ABERTO or self.as_of is None:
            return False
        return bool(item["devido_em"] >= self.as_of.isoformat())

    def changed(self, ledger: Ledger, chave: str, as_of: date) -> list[str]:
        """What of a message no longer stands as it tells it: ids of findings, for the record."""
        self.refresh()
        if self.as_of is None or self.as_of < as_of:
            return []
        itens = ledger.rows(
            "select distinct achado_id, situacao, devido_em, valor, reaberta from entrega where chave = ?", chave
        )
        fechado = self._encerrados.get(ledger.message(chave)["destinatario_id"])
        if fechado is not None and fechado > as_of:
            return ["outro achado encerrou"]
        return [
            i["achado_id"]
            for i in itens
            if not self._open_term(i)
            and self._achados.get(i["achado_id"])
            != (i["situacao"], i["devido_em"], Decimal(i["valor"]) if i["valor"] else None, i["reaberta"])
        ]
