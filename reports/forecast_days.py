"""The checks on one date after another, doing again only what can have come out otherwise.

A check is a function of the relations it names, of the norms in force and, where its text says `as_of`, of the date.
While none of those is different its findings are the same, and are copied. What its relations are made of follows the
same rule (reports/forecast_layers.py), so a date on which nothing falls due costs little.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import duckdb
from pydantic import BaseModel

from checks.law.catalogue import CheckSpec
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.model import Norm
from data.tables import register_norms
from reports.forecast_layers import Layers, Stamp, content
from sql.ledger import apply_dispensas

#: What the engine itself reads, whatever the check.
ENGINE = frozenset({"registro.permissionarios", "registro.veiculos", "registro.alvaras"})
WAIVED = "(select d from extrato.dispensas d where $dia between d.valida_de and d.valida_ate)"


class Days:
    """The findings of any dates, in any order, kept in table `previsao` (columns of the findings, and `data`).

    `con` has the macros, `extrato.*` and `calendario.*`, none of which change.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, norms: Sequence[Norm]) -> None:
        self._con, self._norms, self._turns = con, norms, turning_days(norms)
        self._layers = Layers(con)
        self._law = -1
        self._answered: dict[tuple[str, Stamp], date] = {}

    def ask(self, day: date, catalogue: Mapping[str, CheckSpec]) -> set[str]:
        """Add the findings of those checks as of `day` to `previsao`; returns the checks that crashed."""
        law = bisect_right(self._turns, day)
        if law != self._law:
            register_norms(self._con, self._norms, day)
            self._law = law
        self._layers.move(day, law)
        waived = content(self._con, WAIVED, dia=day)
        keys = {name: (waived, *self._layers.key(spec.sql, ENGINE)) for name, spec in catalogue.items()}
        known = {name: self._answered[name, key] for name, key in keys.items() if (name, key) in self._answered}
        new = {name: spec for name, spec in catalogue.items() if name not in known}
        failed = self._run(day, new) if new else set()
        self._copy(day, known)
        self._answered |= {(name, keys[name]): day for name in new if name not in failed}
        return failed

    def _run(self, day: date, catalogue: Mapping[str, CheckSpec]) -> set[str]:
        results = run_checks(self._con, catalogue, parameter_rows(self._norms, catalogue, day), day)
        apply_dispensas(self._con, day)
        self._con.execute(
            "create table if not exists previsao as select null::date as data, * exclude (evidencia)"
            " from resultado.achados limit 0"
        )
        self._con.execute(
            "insert into previsao select $d, * exclude (evidencia) from resultado.achados where sujeito_id is not null",
            {"d": day},
        )
        return {r.verificacao for r in results if r.situacao == "falhou"}

    def _copy(self, day: date, known: Mapping[str, date]) -> None:
        """Findings that are what they were on another date."""
        if known:
            self._con.execute(
                "insert into previsao select $d, p.* exclude (data) from previsao p"
                " semi join (select unnest($nomes) as verificacao, unnest($datas) as data) c using (verificacao, data)",
                {"d": day, "nomes": list(known), "datas": list(known.values())},
            )


def turning_days(norms: Sequence[Norm]) -> list[date]:
    """The days from which any row of the norms begins, or no longer is, in force: between two, the law is one."""
    return sorted({day for norm in norms for day in _turns(norm)})


def _turns(value: Any) -> Iterator[date]:
    if isinstance(value, BaseModel):
        fields = dict(value)
        if fields.get("vigente_de"):
            yield fields["vigente_de"]
        if fields.get("vigente_ate"):
            yield fields["vigente_ate"] + timedelta(days=1)
        value = fields
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _turns(inner)
