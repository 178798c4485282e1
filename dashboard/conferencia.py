"""Whether a file is a copy that the pages can read: whole, ours, of this version. If not, what to tell people."""

from __future__ import annotations

from pathlib import Path

import duckdb

from sql.warehouse import SCHEMA_VERSION

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


class CopyProblem(Exception):
    """The copy can't be shown; `titulo` and `instrucao` (Portuguese) say why and what to do.

    `texto` is what the page says: it adds `na_pagina`, which makes sense nowhere else.
    """

    def __init__(self, titulo: str, instrucao: str, na_pagina: str = "") -> None:
        super().__init__(instrucao)
        self.titulo = titulo
        self.instrucao = instrucao
        self.texto = f"{instrucao} {na_pagina}".strip()


def refuse_half_written(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """A file cut short opens all the same and fails only where the missing part is asked for."""
    size, blocks = con.execute("select block_size, total_blocks from pragma_database_size()").fetchall()[0]
    if path.stat().st_size < BLOCK_HEADERS + size * blocks:
        raise CopyProblem(
            "A cópia publicada está pela metade",
            "O arquivo é menor do que diz ser: a cópia para esta máquina ainda corre, ou foi cortada. "
            "Espere que termine, ou rode de novo a última noite.",
        )


def refuse_other_schema(con: duckdb.DuckDBPyConnection) -> None:
    """Raise `CopyProblem` for a database that is not ours, or was published by another version."""
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
            "Faltam nela tabelas que este painel lê. Rode a próxima noite com a versão atual (emdia run).",
            "Esta página volta sozinha.",
        )


def explain(error: Exception) -> CopyProblem:
    """What the engine said on opening, in words that tell what to do."""
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
