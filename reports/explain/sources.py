"""The lines of the extracts that a finding rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

#: Field of the evidence (or kind of subject) → extract and its key.
EXTRACTS = {
    "permissionario": "permissionarios",
    "veiculo": "veiculos",
    "alvara": "alvaras",
    "condutor": "condutores",
    "auto": "autos",
    "linha": "linhas",
    "processo": "processos",
    "vistoria": "vistorias",
}
#: Fields that name a record by another word.
NAMED = {
    "anterior_auto": "auto",
    "veiculo_substituido_id": "veiculo",
    "titulo_anterior": "alvara",
    "veiculos": "veiculo",
    "condutores": "condutor",
    "linhas": "linha",
}
#: Tables of the evidence whose records have no id: the extract, and field → column that together point at a line.
KEYLESS = {
    "taxas_em_aberto": ("taxas", {"tipo": "tipo", "exercicio": "exercicio", "veiculo_id": "veiculo_id"}),
    "taxas_incertas": ("taxas", {"tipo": "tipo", "exercicio": "exercicio", "veiculo_id": "veiculo_id"}),
    "taxas_divergentes": ("taxas", {"tipo": "tipo", "exercicio": "exercicio", "veiculo_id": "veiculo_id"}),
    "movimentos": ("garantias", {"dia": "data", "movimento": "movimento"}),
    "execucoes": ("garantias", {"dia": "data"}),
    "comunicacoes": ("comunicacoes", {"ocorrido_em": "ocorrido_em", "tipo": "tipo"}),
}
#: (kind, id)
Record = tuple[str, str]


@dataclass(frozen=True)
class SourceLine:
    """A row of an extract, or all of a file (`linha` None): the file, its line and the SHA-256 of its content."""

    extrato: str
    registro_id: str
    arquivo: str
    linha: int | None
    sha256: str | None


def source_lines(
    con: duckdb.DuckDBPyConnection, achado: dict[str, Any], evidence: dict[str, Any], also: Iterable[Record] = ()
) -> list[SourceLine]:
    """Where tonight's extracts hold the subject, its holder and every record the evidence (or `also`) names."""
    wanted = {(achado["sujeito_tipo"], achado["sujeito_id"]), ("permissionario", achado["permissionario_id"])}
    wanted |= set(named_records(evidence)) | set(also)
    lines = []
    for kind, table in EXTRACTS.items():
        ids = sorted({i for k, i in wanted if k == kind and i})
        if ids and _exists(con, table):
            lines += con.execute(
                f"select distinct '{table}', x.{kind}_id, x.arquivo, x.linha, c.sha256 from extrato.{table} x"
                f" left join extrato.cargas c on c.extrato = '{table}' and c.arquivo = x.arquivo"
                f" where list_contains($ids, x.{kind}_id) order by all",
                {"ids": ids},
            ).fetchall()
    for name, (table, keys) in KEYLESS.items():
        rows = evidence.get(name)
        if isinstance(rows, list) and rows and _exists(con, table):
            lines += _keyless(con, table, keys, achado["permissionario_id"], rows)
    if achado["sujeito_tipo"] == "norma" and achado.get("situacao") != "nao_avaliado":
        lines += _counted(con, achado["verificacao"])
    return [SourceLine(*line) for line in dict.fromkeys(lines)]


def _counted(con: duckdb.DuckDBPyConnection, check: str) -> list[tuple[str, str, str, None, str | None]]:
    """The files a finding about the norm counts: of the extracts its check asks for, and whole."""
    from checks.law.catalogue import load_catalogue

    spec = load_catalogue().get(check)
    asked = sorted({column.partition(".")[0] for column in spec.exige}) if spec else []
    if not _exists(con, "cargas"):
        return []
    return con.execute(
        "select distinct extrato, '', arquivo, null::bigint, sha256 from extrato.cargas"
        " where list_contains($asked, extrato) and arquivo is not null and carregadas > 0 order by all",
        {"asked": asked},
    ).fetchall()


def _keyless(
    con: duckdb.DuckDBPyConnection, table: str, keys: dict[str, str], holder: str, rows: list[dict[str, Any]]
) -> list[tuple[str, str, str, int, str | None]]:
    """Lines of the holder whose columns say what a row of the evidence says."""
    told = " || ' ' || ".join(f"coalesce(x.{column}::varchar, '')" for column in keys.values())
    wanted = sorted({" ".join("" if row.get(f) is None else str(row[f]) for f in keys) for row in rows})
    return con.execute(
        f"select distinct '{table}', trim({told}), x.arquivo, x.linha, c.sha256 from extrato.{table} x"
        f" left join extrato.cargas c on c.extrato = '{table}' and c.arquivo = x.arquivo"
        f" where x.permissionario_id = $p and list_contains($w, {told}) order by all",
        {"p": holder, "w": wanted},
    ).fetchall()


def named_records(value: Any) -> Iterator[Record]:
    """(kind, id) of every record named in the evidence, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from named_records(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            kind = NAMED.get(name) or name.removesuffix("_id")
            names_one = kind in EXTRACTS and (name == f"{kind}_id" or name in NAMED)
            if names_one and isinstance(item, str):
                yield kind, item
            elif names_one and isinstance(item, list) and all(isinstance(i, str) for i in item):
                yield from ((kind, i) for i in item)
            else:
                yield from named_records(item)


def _exists(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    rows = con.execute(
        "select 1 from information_schema.columns where table_schema = 'extrato' and table_name = $t"
        " and column_name = 'arquivo'",
        {"t": table},
    ).fetchall()
    return bool(rows)
