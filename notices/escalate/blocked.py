"""Which checks can't be escalated tonight: what they read is of an earlier night."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import duckdb

from checks.law.catalogue import CheckSpec
from data.model import Norm
from sql.acts import kinds_of_act

#: Read by every finding, whatever its check: who is in service, and what was waived.
BY_ALL = ("permissionarios", "dispensas")
#: The stage of a penalty is read here.
BY_PENALTIES = ("processos",)


def write_blocked(
    con: duckdb.DuckDBPyConnection,
    norms: Iterable[Norm],
    catalogue: Mapping[str, CheckSpec],
    as_of: date,
    defasados: Sequence[str],
) -> None:
    """Write the temporary table `escalada_cegas(norma, verificacao, natureza, extratos)`: one row per blocked kind.

    A check reads what it `exige`, and what the norm asks besides.
    """
    con.execute(
        "create or replace temp table escalada_cegas"
        " (norma varchar, verificacao varchar, natureza varchar, extratos varchar)"
    )
    velhos = set(defasados)
    if not velhos:
        return
    naturezas = sorted({k["natureza"] for k in kinds_of_act().values()})
    linhas = []
    for norm in norms:
        for check_id, dito in sorted(norm.checks(as_of).items()):
            spec = catalogue.get(check_id)
            lidos = {nome.split(".")[0] for nome in (*(spec.exige if spec else ()), *dito.exige)} | set(BY_ALL)
            for natureza in naturezas:
                juntos = lidos | set(BY_PENALTIES if natureza == "penalidade" else ())
                if juntos & velhos:
                    linhas.append([norm.id, check_id, natureza, ", ".join(sorted(juntos & velhos))])
    if linhas:
        con.executemany("insert into escalada_cegas values (?, ?, ?, ?)", linhas)
