"""The delivery ledger's file: opening it, its transactions, and the one way a message changes state.

SQLite rather than DuckDB: while one process sends, another must be able to pause a norm or to ask how it goes, and
DuckDB lets a second process neither write nor read. Both take the same time a commit (measured: the disk's own).
Readers of the dashboard get a DuckDB copy (publish.py).
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from notices.delivery.states import ENVIANDO, FOLLOWS, INCERTA

SCHEMA_VERSION = 1
SCHEMA = Path(__file__).with_name("schema.sql")
WAIT = 30.0  # seconds for another process to end its (short) transaction

Clock = Callable[[], datetime]


class LedgerError(Exception):
    """The ledger can't be used; the message (Portuguese) says why and what to do."""


class UnexpectedState(Exception):
    """A message isn't in the state it should be in: a defect, or two senders at once."""


def ledger_path(warehouse: Path) -> Path:
    """Where a municipality's deliveries are kept: `<stem>.entregas.sqlite` beside the warehouse."""
    return warehouse.with_name(f"{warehouse.stem}.entregas.sqlite")


class Ledger:
    """An open ledger. `agora` gives the instant, with time zone, written beside each change.

    `path` None: an empty one in memory, to look at what would be sent where nothing ever was.
    """

    def __init__(self, path: Path | None, agora: Clock) -> None:
        self.path = path
        self.agora = agora
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self.db = sqlite3.connect(path or ":memory:", timeout=WAIT, isolation_level=None, uri=True)
            self.db.row_factory = sqlite3.Row
            self._prepare()
        except (sqlite3.Error, OSError) as erro:
            raise LedgerError(explain(path, erro)) from erro

    def _prepare(self) -> None:
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma foreign_keys = on")
        self.durable(True)
        versao = self.db.execute("pragma user_version").fetchone()[0]
        if versao > SCHEMA_VERSION:
            raise LedgerError(
                f"{self.path} foi gravado por uma versão mais nova do emdia (esquema {versao}). Atualize o emdia; "
                "o arquivo não foi alterado."
            )
        if versao < SCHEMA_VERSION:
            # executescript would commit what is open; nothing is, here.
            self.db.executescript(SCHEMA.read_text(encoding="utf-8"))
            self.db.execute(f"pragma user_version = {SCHEMA_VERSION}")

    def durable(self, ate_o_disco: bool) -> None:
        """Whether a commit waits for the disk. Either way it outlives the process; True outlives a power cut.

        The commit before the body leaves waits. The one after the answer need not: should power fail before the
        next one carries it to disk, the message is found `enviando`, thus `incerta`, never sent again unasked.
        """
        self.db.execute(f"pragma synchronous = {'full' if ate_o_disco else 'normal'}")

    @classmethod
    def copy_of(cls, path: Path, agora: Clock) -> Ledger:
        """A copy in memory, without the kept messages: to see what a run would do, in nobody's way."""
        copia = cls(None, agora)
        if path.exists():
            try:
                copia.db.execute("pragma foreign_keys = off")
                copia.db.execute("attach ? as arquivo", (f"{path.absolute().as_uri()}?mode=ro",))
                for tabela in ("rodada", "mensagem", "entrega", "endereco_ruim", "pausa"):
                    copia.db.execute(f"insert into {tabela} select * from arquivo.{tabela}")
                copia.db.execute("detach arquivo")
            except sqlite3.Error as erro:
                copia.close()
                raise LedgerError(explain(path, erro)) from erro
        return copia

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, tipo: object, erro: BaseException | None, pilha: object) -> None:
        self.close()
        if isinstance(erro, sqlite3.Error):
            raise LedgerError(explain(self.path, erro)) from erro

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; inside another one, part of it."""
        if self.db.in_transaction:
            yield
            return
        self.db.execute("begin immediate")
        try:
            yield
        except BaseException:
            if self.db.in_transaction:  # a full disk has undone it already
                self.db.execute("rollback")
            raise
        self.db.execute("commit")

    def rows(self, sql: str, *valores: Any) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self.db.execute(sql, valores).fetchall()

    def one(self, sql: str, *valores: Any) -> sqlite3.Row | None:
        """The first row of a query."""
        linha: sqlite3.Row | None = self.db.execute(sql, valores).fetchone()
        return linha

    def message(self, chave: str) -> sqlite3.Row:
        """The message, which must exist."""
        linha = self.one("select * from mensagem where chave = ?", chave)
        if linha is None:
            raise LedgerError(
                f"não há mensagem {chave} no registro de entregas; `emdia notify status` lista as chaves."
            )
        return linha

    def stamp(self) -> str:
        """This instant as it is written."""
        return self.agora().isoformat(timespec="milliseconds")

    def change(self, chave: str, de: Collection[str], para: str, detalhe: str | None = None, **campos: Any) -> None:
        """Move a message from one of the states `de` to `para`, with its event, in one transaction.

        `campos`: other columns of the message to set. Raises `UnexpectedState` when it is in none of `de`.
        """
        with self.transaction():
            antes = self.one("select estado from mensagem where chave = ?", chave)
            if antes is None or antes["estado"] not in de or para not in FOLLOWS[antes["estado"]]:
                raise UnexpectedState(f"{chave}: {antes['estado'] if antes else 'não existe'} → {para}")
            novos = {"estado": para, "mudou_em": self.stamp(), **campos}
            self.db.execute(
                f"update mensagem set {', '.join(f'{nome} = ?' for nome in novos)} where chave = ?",
                (*novos.values(), chave),
            )
            self.note(chave, antes["estado"], para, detalhe)

    def note(self, chave: str, de: str | None, para: str, detalhe: str | None = None) -> None:
        """An event: what became of a message, when, why."""
        self.db.execute(
            "insert into evento (em, chave, de, para, detalhe) values (?, ?, ?, ?, ?)",
            (self.stamp(), chave, de, para, detalhe),
        )

    def recover(self) -> list[str]:
        """Messages a dead process left half-way become `incerta`; returns their keys. Only under the lock."""
        with self.transaction():
            chaves = [r["chave"] for r in self.rows("select chave from mensagem where estado = ?", ENVIANDO)]
            for chave in chaves:
                self.change(chave, (ENVIANDO,), INCERTA, "o programa parou antes da resposta do servidor")
        return chaves

    def keep_eml(self, conteudo: bytes) -> str:
        """Keep a message by its hash; returns the hash (hex SHA-256)."""
        digest = hashlib.sha256(conteudo).hexdigest()
        self.db.execute(
            "insert into eml values (?, ?) on conflict do nothing", (digest, zlib.compress(conteudo, level=6))
        )
        return digest

    def eml(self, chave: str) -> bytes:
        """The message exactly as it goes through the line; checked against its hash."""
        linha = self.one("select sha256, conteudo from mensagem join eml on sha256 = eml_sha256 where chave = ?", chave)
        if linha is None:
            raise LedgerError(f"a mensagem {chave} não tem cópia guardada: nunca houve endereço para enviá-la.")
        conteudo = zlib.decompress(linha["conteudo"])
        if hashlib.sha256(conteudo).hexdigest() != linha["sha256"]:
            raise LedgerError(f"a cópia guardada da mensagem {chave} não confere com o resumo dela: foi alterada.")
        return conteudo


def explain(path: Path | None, erro: Exception) -> str:
    """What SQLite or the system said, in words that tell what to do."""
    texto = str(erro)
    if "full" in texto or "disk I/O" in texto or "No space" in texto or "File too large" in texto:
        return (
            f"o disco de {path} encheu ({texto}). Nada mais será enviado; libere espaço e repita o comando: "
            "o que já saiu não sai de novo."
        )
    if "locked" in texto:
        return f"{path} está ocupado por outro processo; tente de novo em instantes."
    if "not a database" in texto or "malformed" in texto:
        return f"{path} não é um registro de entregas íntegro ({texto}); recupere-o da cópia de segurança."
    return f"não foi possível usar {path}: {texto}"
