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

from sql.warehouse import SCHEMA_VERSION, TIME_ZONE

log = logging.getLogger("emdia.painel")

#: What the pages read. A copy without one of these was published by an earlier version.
NEEDED = {
    "achados": ("achado_id", "situacao", "consequencia", "competente", "devido_em", "aberta_em", "valor", "evidencia"),
    "atos_andamento": ("achado_id", "etapa", "prazo_ate", "pronto", "processo_id"),
    "processos_andamento": ("processo_id", "permissionario_id", "ato", "etapa", "fim_defesa"),
    "encerrados": ("achado_id", "encerrado_em", "causa"),
    "resumo_diario": ("as_of", "norma", "verificacao", "situacao", "consequencia", "quantidade", "novos"),
    "carga": ("execucao_id", "extrato", "situacao", "origem_as_of", "rejeitadas"),
    "gate_resultado": ("execucao_id", "descricao", "sucesso"),
    "execucao": ("execucao_id", "as_of", "situacao", "codigo_saida", "vigente"),
    "permissionarios": ("permissionario_id", "nome"),
    "schema_versao": ("versao", "execucao_id", "as_of"),
}
BLOCK_HEADERS = 3 * 4096
#: Seconds after which one request's query is interrupted.
QUERY_SECONDS = 30


class CopyProblem(Exception):
    """The copy can't be shown; `titulo` and `texto` (Portuguese) say why and what to do."""

    def __init__(self, titulo: str, texto: str) -> None:
        super().__init__(texto)
        self.titulo = titulo
        self.texto = texto


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
                    "banco certo com --warehouse. Esta página volta a funcionar sozinha quando ele aparecer.",
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
                raise _explain(error) from error
            try:
                con.execute(f"set global TimeZone = '{TIME_ZONE}'")
                con.execute("set lock_configuration = true")
                _refuse_half_written(con, alias)
                _refuse_other_schema(con)
                return _meet(con, identity)
            except duckdb.Error as error:
                con.close()
                raise _explain(error) from error
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
                    "A cópia publicada não pode ser lida", f"O sistema respondeu: {error.strerror}. Veja as permissões."
                ) from error
            yield copy
            return
        try:
            yield beside
        finally:
            beside.unlink(missing_ok=True)


def _refuse_half_written(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """A file cut short opens all the same and fails only where the missing part is asked for."""
    size, blocks = con.execute("select block_size, total_blocks from pragma_database_size()").fetchall()[0]
    if path.stat().st_size < BLOCK_HEADERS + size * blocks:
        raise CopyProblem(
            "A cópia publicada está pela metade",
            "O arquivo é menor do que diz ser: a cópia para esta máquina ainda corre, ou foi cortada. "
            "Espere que termine, ou rode de novo a última noite.",
        )


def _refuse_other_schema(con: duckdb.DuckDBPyConnection) -> None:
    columns: dict[str, set[str]] = {}
    for table, column in con.execute(
        "select table_name, column_name from information_schema.columns where table_schema = 'main'"
    ).fetchall():
        columns.setdefault(table, set()).add(column)
    if "schema_versao" not in columns:
        raise CopyProblem(
            "O arquivo não é uma cópia publicada pelo emdia",
            "É um arquivo do DuckDB, mas sem as tabelas do emdia. Indique o banco certo com --warehouse.",
        )
    found = con.execute("select max(versao) from schema_versao").fetchall()[0][0]
    if found is not None and found > SCHEMA_VERSION:
        raise CopyProblem(
            "A cópia é de uma versão mais nova do emdia",
            f"Ela está no esquema {found} e este painel conhece até o {SCHEMA_VERSION}. Atualize o emdia daqui.",
        )
    if found != SCHEMA_VERSION or any(not set(need) <= columns.get(table, set()) for table, need in NEEDED.items()):
        raise CopyProblem(
            "A cópia é de uma versão anterior do emdia",
            "Faltam nela tabelas que este painel lê. Rode a próxima noite com a versão atual "
            "(emdia run) e a página volta sozinha.",
        )


def _meet(con: duckdb.DuckDBPyConnection, identity: tuple[int, int, int]) -> _Open:
    cursor = con.execute(
        "select e.* exclude (etapas, resumo), e.resumo->'$.avisos' as avisos, e.resumo->'$.erros' as erros"
        " from execucao e semi join schema_versao s on s.execucao_id = e.execucao_id"
    )
    names = [d[0] for d in cursor.description or ()]
    rows = cursor.fetchall()
    if not rows:
        raise CopyProblem(
            "A cópia publicada não tem noite nenhuma", "Rode emdia run; a página volta sozinha quando ela terminar."
        )
    execucao = dict(zip(names, rows[0], strict=True))
    tables = {
        n
        for (n,) in con.execute(
            "select table_name from information_schema.tables where table_schema = 'main'"
        ).fetchall()
    }
    return _Open(con, identity, _name(identity), execucao["as_of"], execucao, frozenset(tables))


def _explain(error: Exception) -> CopyProblem:
    text = str(error)
    if "newer" in text or "storage version" in text.lower():
        return CopyProblem("A cópia é de uma versão mais nova do DuckDB", "Atualize o emdia desta máquina.")
    if isinstance(error, duckdb.CatalogException | duckdb.BinderException):
        return CopyProblem(
            "A cópia é de uma versão anterior do emdia",
            "Faltam nela tabelas que este painel lê. Rode a próxima noite com a versão atual (emdia run).",
        )
    return CopyProblem(
        "A cópia publicada está danificada",
        "O arquivo existe, mas não se deixa ler: foi cortado ou não é do emdia. Rode de novo a última noite "
        "(emdia run) para refazê-lo; o banco do município não foi tocado.",
    )
