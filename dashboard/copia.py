"""The published copy as the dashboard opens it: read-only, locked, and swapped while requests go on.

DuckDB keeps one database per real path and process, so a file that took another's name would answer with the old
content for as long as anybody reads it. Each copy is therefore opened under a name of its own, removed at once.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from dashboard.conferencia import CopyProblem, explain, refuse_half_written, refuse_other_schema
from reports.sistema import os_reason
from sql.warehouse import TIME_ZONE

log = logging.getLogger("emdia.painel")

#: Seconds after which one request's query is interrupted.
QUERY_SECONDS = 30


@dataclass(frozen=True)
class Reading:
    """One request's view of one copy. `versao` changes with every published copy."""

    con: duckdb.DuckDBPyConnection
    versao: str
    as_of: date
    execucao: dict[str, Any]
    tabelas: frozenset[str]


@dataclass(frozen=True)
class _Open:
    con: duckdb.DuckDBPyConnection
    identity: tuple[int, int, int]
    versao: str
    as_of: date
    execucao: dict[str, Any]
    tabelas: frozenset[str]


class Copia:
    """The copy in force, reopened when another takes its place. Safe to use from many threads."""

    def __init__(self, path: Path, memory_limit: str = "2GB", threads: int = 2) -> None:
        self.path = path
        self._config = {
            "enable_external_access": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": memory_limit,
            "threads": str(threads),
        }
        self._lock = threading.Lock()
        self._open: _Open | None = None

    def version(self) -> str:
        """Which copy lies there now, without opening it; empty when there is none."""
        try:
            return _name(_identity(self.path.stat()))
        except OSError:
            return ""

    @contextlib.contextmanager
    def read(self, seconds: float = QUERY_SECONDS) -> Iterator[Reading]:
        """A connection of its own to the copy in force. Raises `CopyProblem`, also when the engine fails meanwhile."""
        opened = self._current()
        cursor = opened.con.cursor()
        watch = threading.Timer(seconds, cursor.interrupt)
        watch.daemon = True
        watch.start()
        try:
            yield Reading(cursor, opened.versao, opened.as_of, opened.execucao, opened.tabelas)
        except duckdb.InterruptException:
            raise CopyProblem(
                "A consulta demorou demais",
                "A consulta foi interrompida para não prender a máquina. Filtre mais e tente de novo.",
            ) from None
        except (duckdb.IOException, duckdb.InternalException, duckdb.FatalException) as error:
            log.error("a cópia publicada não pôde ser lida: %s", type(error).__name__)
            raise CopyProblem(
                "A cópia publicada está danificada",
                "O arquivo abriu, mas uma leitura falhou. Rode de novo a última noite (emdia run) para refazê-lo; "
                "o banco do município não foi tocado.",
            ) from error
        finally:
            watch.cancel()
            cursor.close()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._open = None

    def _current(self) -> _Open:
        with self._lock:
            try:
                identity = _identity(self.path.stat())
            except OSError:
                self._open = None
                raise CopyProblem(
                    "Ainda não há cópia publicada",
                    f"Não existe {self.path.name}. Ele é escrito ao fim de cada noite: rode emdia run, ou indique o "
                    "banco certo com --warehouse.",
                    "Esta página volta a funcionar sozinha quando ele aparecer.",
                ) from None
            if self._open is None or self._open.identity != identity:
                # Requests under way keep the old connection until they end.
                self._open = self._connect(identity)
            return self._open

    def _connect(self, identity: tuple[int, int, int]) -> _Open:
        with own_name(self.path) as alias:
            try:
                con = duckdb.connect(str(alias), read_only=True, config=dict(self._config))
            except (duckdb.Error, OSError) as error:
                raise explain(error) from error
            try:
                con.execute(f"set global TimeZone = '{TIME_ZONE}'")
                con.execute("set lock_configuration = true")
                refuse_half_written(con, alias)
                refuse_other_schema(con)
                return _meet(con, identity)
            except duckdb.Error as error:
                con.close()
                raise explain(error) from error
            except BaseException:
                con.close()
                raise


def _identity(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _name(identity: tuple[int, int, int]) -> str:
    return "-".join(f"{n:x}" for n in identity)


@contextlib.contextmanager
def own_name(path: Path) -> Iterator[Path]:
    """The same content under a name nobody used before: a hard link beside it, or a copy where none can be made."""
    with tempfile.TemporaryDirectory(prefix="emdia-painel-") as folder:
        beside = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.leitura")
        try:
            os.link(path, beside)
        except FileNotFoundError:
            raise CopyProblem("Ainda não há cópia publicada", f"Não existe {path.name}.") from None
        except OSError:
            copy = Path(folder) / beside.name
            try:
                shutil.copyfile(path, copy)
            except OSError as error:
                raise CopyProblem(
                    "A cópia publicada não pode ser lida",
                    f"O sistema respondeu: {os_reason(error)}. Veja as permissões.",
                ) from error
            yield copy
            return
        try:
            yield beside
        finally:
            beside.unlink(missing_ok=True)


def _meet(con: duckdb.DuckDBPyConnection, identity: tuple[int, int, int]) -> _Open:
    cursor = con.execute(
        "select e.* exclude (etapas, resumo), e.resumo->'$.avisos' as avisos, e.resumo->'$.erros' as erros"
        " from execucao e semi join schema_versao s on s.execucao_id = e.execucao_id"
    )
    names = [d[0] for d in cursor.description or ()]
    rows = cursor.fetchall()
    if not rows:
        raise CopyProblem(
            "A cópia publicada não tem noite nenhuma",
            "Rode emdia run.",
            "Esta página volta sozinha quando ela terminar.",
        )
    execucao = dict(zip(names, rows[0], strict=True))
    tables = {
        n
        for (n,) in con.execute(
            "select table_name from information_schema.tables where table_schema = 'main'"
        ).fetchall()
    }
    return _Open(con, identity, _name(identity), execucao["as_of"], execucao, frozenset(tables))
