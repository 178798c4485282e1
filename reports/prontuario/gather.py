"""What a prontuario holds, gathered from the warehouse as of its last night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import duckdb

from reports.formats import document_br
from reports.prontuario.sections import SECTIONS, Section
from sql.points import weigh_autos


class ProntuarioError(Exception):
    """The operator can't be shown; the message is for people."""


@dataclass(frozen=True)
class Secao:
    """One table of the page. `vazio` is said when it has no rows."""

    titulo: str
    colunas: tuple[str, ...]
    linhas: tuple[tuple[Any, ...], ...]
    vazio: str
    nota: str | None = None


@dataclass(frozen=True)
class Prontuario:
    """The page: who, under which norm, as of when, and the sections in order."""

    permissionario_id: str
    nome: str
    documento: str
    norma: str
    norma_nome: str
    situacao: str
    cadastrado_em: date | None
    as_of: date
    execucao_id: str
    secoes: tuple[Secao, ...]


def prontuario(con: duckdb.DuckDBPyConnection, permissionario_id: str) -> Prontuario:
    """Everything known of one operator as of the last night in the warehouse.

    `con` is the warehouse itself, opened to look at. ProntuarioError when the operator is not there.
    """
    try:
        return _gather(con, permissionario_id)
    except (duckdb.BinderException, duckdb.CatalogException) as erro:
        # The registry and the facts lie there as the last night built them.
        raise ProntuarioError(
            "a última noite deste banco é de outra versão do emdia: rode emdia run com a versão atual e tente de novo."
        ) from erro


def _gather(con: duckdb.DuckDBPyConnection, permissionario_id: str) -> Prontuario:
    last = con.execute("select execucao_id, as_of from ultima_execucao").fetchall()
    if not last:
        raise ProntuarioError("o banco ainda não tem noite nenhuma: rode emdia run antes.")
    execucao_id, as_of = last[0]
    if not con.execute("select 1 from duckdb_schemas() where schema_name = 'registro' limit 1").fetchall():
        raise ProntuarioError("este arquivo é a cópia publicada, que não tem o cadastro inteiro; indique o banco.")
    con.execute(f"set variable as_of = date '{as_of.isoformat()}'")
    rows = con.execute(
        "select p.pid, p.nome, p.documento, p.norma, n.nome, p.situacao, p.cadastrado_em"
        " from registro.permissionarios p join norma.normas n using (norma) where p.permissionario_id = $id",
        {"id": permissionario_id},
    ).fetchall()
    if not rows:
        raise ProntuarioError(
            f"o permissionário {permissionario_id} não está no cadastro de {as_of:%d/%m/%Y}. Confira o identificador."
        )
    pid, nome, documento, norma, norma_nome, situacao, cadastrado = rows[0]
    con.execute("create or replace temp table prontuario_alvo as select $pid::integer as pid", {"pid": pid})
    weigh_autos(con, "prontuario_alvo", "prontuario_autos")
    params = {"id": permissionario_id, "as_of": as_of, "execucao": execucao_id}
    return Prontuario(
        permissionario_id,
        nome,
        document_br(documento),
        norma,
        norma_nome,
        situacao,
        cadastrado,
        as_of,
        execucao_id,
        tuple(s for s in (_section(con, section, params) for section in SECTIONS) if s is not None),
    )


def _section(con: duckdb.DuckDBPyConnection, section: Section, params: dict[str, Any]) -> Secao | None:
    used = {name: value for name, value in params.items() if f"${name}" in section.sql}
    cursor = con.execute(section.sql, used)
    columns = tuple(column[0] for column in cursor.description or ())
    rows = tuple(cursor.fetchall())
    if not rows and section.so_se_houver:
        return None
    return Secao(section.titulo, columns, rows, section.vazio, section.nota)
