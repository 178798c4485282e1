"""Where what the checks return is gathered, and what it becomes: `resultado.achados` and `resultado.verificacoes`.

The rows wait in memory (DuckDB spills what does not fit) and reach the warehouse in one statement: one insert a check
into the file would pass through its log, and whichever check came next would pay for emptying it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

_PLACE = "emdia_apuracao"
#: Every connection of the warehouse sees it: checks run side by side.
GATHERED = f"{_PLACE}.achados"


@dataclass(frozen=True)
class ParameterRow:
    """What one norm says for one check on the as-of date: its provision, who decides, its numbers and rules."""

    norma: str
    dispositivo: str
    consequencia: str
    competente: str | None
    valores: Mapping[str, Any]
    regras: Sequence[Mapping[str, Any]] = ()
    exige: Sequence[str] = ()
    aviso_dias: int | None = None


@dataclass(frozen=True)
class CheckResult:
    """How one check went for one norm (or for all, where it crashed)."""

    verificacao: str
    norma: str
    situacao: str
    falta: tuple[str, ...]
    erro: str | None
    achados: int
    segundos: float


def gather(con: duckdb.DuckDBPyConnection) -> None:
    """Make the empty place where the checks of tonight put their findings."""
    con.execute(f"attach if not exists ':memory:' as {_PLACE}")
    con.execute(
        f"create or replace table {GATHERED}(verificacao varchar, norma varchar, dispositivo varchar,"
        " situacao varchar, sujeito_tipo varchar, sujeito_id varchar, permissionario_id varchar, devido_em date,"
        " consequencia varchar, competente varchar, valor decimal(18,2), evidencia varchar)"
    )


def not_evaluated(
    con: duckdb.DuckDBPyConnection, check: str, row: ParameterRow, falta: Sequence[str], erro: str | None = None
) -> None:
    """The finding that says a check could not judge a norm: what is missing, or that it broke."""
    con.execute(
        f"insert into {GATHERED} values"
        " (?, ?, ?, 'nao_avaliado', 'norma', ?, null, null, ?, ?, null,"
        " to_json(?::struct(falta varchar[], erro varchar))::varchar)",
        [
            check, row.norma, row.dispositivo, row.norma, row.consequencia, row.competente,
            {"falta": list(falta), "erro": erro},
        ],
    )  # fmt: skip


def conclude(con: duckdb.DuckDBPyConnection, results: Sequence[CheckResult], follow_person: Sequence[str]) -> None:
    """Write `resultado.*` from what was gathered. `follow_person`: checks that a doubt on the registry leaves alone."""
    _doubt_registry(con, follow_person)
    con.execute("create schema if not exists resultado")
    con.execute(f"create or replace table resultado.achados as from {GATHERED}")
    con.execute(f"detach {_PLACE}")
    con.execute(
        "create or replace table resultado.verificacoes(verificacao varchar, norma varchar, situacao varchar,"
        " falta varchar[], erro varchar, achados bigint, linhas bigint, segundos double)"
    )
    if not results:
        return
    con.execute(
        f"insert into resultado.verificacoes values {', '.join(['(?, ?, ?, ?, ?, ?, null, ?)'] * len(results))}",
        [
            value
            for r in results
            for value in (r.verificacao, r.norma, r.situacao, list(r.falta), r.erro, r.achados, r.segundos)
        ],
    )


def _doubt_registry(con: duckdb.DuckDBPyConnection, follow_person: Sequence[str]) -> None:
    """A holder or vehicle whose standing could not be read may be out of service: nothing is affirmed of it."""
    for table, key, prefix in (
        ("registro.permissionarios", "d.permissionario_id = a.permissionario_id", "permissionarios."),
        ("registro.veiculos", "a.sujeito_tipo = 'veiculo' and d.veiculo_id = a.sujeito_id", "veiculos."),
        (
            "(select x.alvara_id, v.incerto from registro.alvaras x join registro.veiculos v using (veiculo_id))",
            "a.sujeito_tipo = 'alvara' and d.alvara_id = a.sujeito_id",
            "veiculos.",
        ),
    ):
        doubts = f"select 1 from {table} d where d.incerto is not null limit 1"
        if not con.execute(doubts).fetchall():
            continue
        con.execute(
            f"""
            update {GATHERED} a
            set situacao = 'nao_avaliado', devido_em = null, valor = null,
                evidencia = json_object('falta', list_transform(d.incerto, lambda c: '{prefix}' || c),
                                        'situacao_sem_duvida', a.situacao)::varchar
            from {table} d
            where {key} and d.incerto is not null
              and a.situacao in ('violacao', 'a_vencer', 'para_decisao')
              and not list_contains($seguem::varchar[], a.verificacao)
            """,
            {"seguem": list(follow_person)},
        )
