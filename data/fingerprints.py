"""Per check, a hash of what can change its answer under a norm: its own rows, and those of the tables it reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from data.hashes import digest, plain
from data.model import Norm
from data.schema import COLUNAS
from data.tables import table_rows

#: Words about the law that cannot change an answer.
WORDS = {
    "descricao", "observacao", "leitura", "alternativa", "regularizar", "regularizar_a_vencer", "origem", "familia",
    "fontes", "nome", "apelido", "orgao",
}  # fmt: skip
#: Of the check's own rows the day's are taken: their periods say nothing more.
PERIOD = {"vigente_de", "vigente_ate"}
#: Of the tables, a hash of the whole norm says more than the table.
ASIDE = WORDS | {"hash"}


def fingerprints(norm: Norm, reads: Mapping[str, Collection[str]], as_of: date) -> dict[str, str]:
    """SHA-256, per check of `reads`, of what can change its answer under a norm in force on `as_of`.

    `reads`: check → the tables of schema `norma` it reads. What counts is the rows the norm has in them that day
    (infractions whole: they are read by the day of the fact), the header, and the check's parameter rows and rules.
    """
    rows = table_rows([norm], as_of)
    tables = {t: _of_table(t, rows[t]) for t in {"normas"}.union(*reads.values())}
    return {check: _of_check(norm, check, as_of, tables, {"normas", *read}) for check, read in reads.items()}


def _of_check(norm: Norm, check: str, as_of: date, tables: Mapping[str, str], read: Collection[str]) -> str:
    own = [plain(v.model_dump(), WORDS | PERIOD) for v in norm.verificacoes.get(check, ()) if v.in_force(as_of)]
    return digest({"verificacao": own, "tabelas": {table: tables[table] for table in read}})


def _of_table(table: str, rows: list[tuple[Any, ...]]) -> str:
    kept = [n for n, column in enumerate(COLUNAS[table]) if column not in ASIDE]
    return digest([[row[n] for n in kept] for row in rows])
