"""A key that comes twice: identical repeats collapse into one, differing rows are all rejected."""

from __future__ import annotations

import duckdb

from checks.extracts import cited
from checks.extracts.columns import Contract
from checks.extracts.tables import typed_columns

_SHOWN = 10


def resolve(con: duckdb.DuckDBPyConnection, contract: Contract) -> dict[str, tuple[int, int]]:
    """Clean `extrato.<name>` of repeated keys, over all its files; {arquivo: (collapsed, rejected)}."""
    if contract.key is None:
        return {}
    table, key = f"extrato.{contract.name}", contract.key
    repeated = con.execute(
        f"CREATE OR REPLACE TEMP TABLE chaves_repetidas AS SELECT {key} FROM {table} GROUP BY {key} HAVING count(*) > 1"
    ).fetchall()[0][0]
    if not repeated:
        return {}
    # A plate is compared in its canonical form; an unknown value by the text that could not be read.
    content = [
        "coalesce(placa_canonica, placa)" if name == "placa" else name
        for name, _ in typed_columns(contract)
        if name not in ("arquivo", "linha", "placa_canonica")
    ]
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE linhas_repetidas AS
        WITH linhas AS (SELECT t.rowid AS fila, t.* FROM {table} t SEMI JOIN chaves_repetidas USING ({key})),
        ilegiveis AS (
            SELECT l.fila, list(r.coluna || '=' || r.valor ORDER BY r.coluna) AS textos FROM linhas l
            JOIN extrato.rejeitos r ON r.extrato = '{contract.name}' AND r.arquivo = l.arquivo AND r.linha = l.linha
                AND list_contains(l.desconhecidos, r.coluna)
            GROUP BY l.fila),
        conteudo AS (
            SELECT fila, {key} AS chave, arquivo, linha, hash({", ".join(content)}) AS resumo,
                row({", ".join(content)}, textos) AS tudo
            FROM linhas LEFT JOIN ilegiveis USING (fila))
        SELECT fila, chave, arquivo, linha,
            count(DISTINCT tudo) OVER (PARTITION BY chave) AS versoes,
            row_number() OVER (PARTITION BY chave ORDER BY arquivo, linha) AS ordem
        FROM conteudo"""
    )
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        WITH chaves AS (
            SELECT chave, list(arquivo || ' linha ' || linha ORDER BY arquivo, linha) AS onde
            FROM linhas_repetidas WHERE versoes > 1 GROUP BY chave)
        SELECT '{contract.name}', arquivo, linha, '{key}', chave,
            'chave repetida com conteúdo diferente; veja também ' || array_to_string(
                list_filter(onde, lambda o: o <> arquivo || ' linha ' || linha)[:{_SHOWN}], ', ')
            || CASE WHEN len(onde) > {_SHOWN + 1} THEN ' e outras ' || (len(onde) - {_SHOWN + 1}) ELSE '' END,
            'rejeitado'
        FROM linhas_repetidas JOIN chaves USING (chave)"""
    )
    cited.keep(
        con,
        contract,
        contract.names,
        "t.",
        "t.arquivo",
        f"FROM {table} t SEMI JOIN (FROM linhas_repetidas WHERE versoes > 1) d ON d.fila = t.rowid",
    )
    con.execute(
        f"DELETE FROM {table} WHERE rowid IN (SELECT fila FROM linhas_repetidas WHERE versoes > 1 OR ordem > 1)"
    )
    rows = con.execute(
        """SELECT arquivo, count(*) FILTER (versoes = 1 AND ordem > 1), count(*) FILTER (versoes > 1)
        FROM linhas_repetidas GROUP BY arquivo"""
    ).fetchall()
    return {arquivo: (collapsed, rejected) for arquivo, collapsed, rejected in rows}
