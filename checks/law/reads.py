"""What a check rests on: the extracts whose rows it reads, and the checks that ask of the same facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import permutations

from checks.extracts.contracts import contracts
from checks.law.catalogue import CheckSpec
from data.model import Norm
from sql import lineage

#: The column by which one vehicle names the one whose place it takes.
SUBSTITUTE = "veiculos.substitui_veiculo_id"


@dataclass(frozen=True)
class Reads:
    """Extracts. `proprios`: what the check asks for or its SQL names; `todos`: those and what its facts are made of."""

    proprios: frozenset[str]
    todos: frozenset[str]


@cache
def reads_of(sql: str, exige: tuple[str, ...]) -> Reads:
    """The extracts read by a check with that SQL and those needs.

    A table of the registry stands for its own extract alone: what else it is made of says when a row exists, not what
    it says.
    """
    asked = {need.split(".")[0] for need in exige}
    named = {name for table in lineage.named(sql) if (name := _extract(table))}
    made_of = {name for table in lineage.rests_on(sql) if (name := _extract(table))}
    return Reads(frozenset(asked | named), frozenset(asked | named | made_of))


def _extract(table: str) -> str | None:
    """`registro.alvaras_ativos`, `extrato.alvaras` → `alvaras`."""
    schema, _, name = table.partition(".")
    if schema not in ("registro", "extrato"):
        return None
    return next((extract for extract in contracts() if name in (extract, f"{extract}_ativos")), None)


def readings(
    catalogue: Mapping[str, CheckSpec], norms: Iterable[Norm], as_of: date
) -> list[tuple[str, str, bool, bool]]:
    """Check by check, each extract it reads: (check, extract, in its own SQL, whether it asks who replaces whom).

    What some norm asks besides counts as the check's own.
    """
    besides: dict[str, set[str]] = {}
    for norm in norms:
        for check, said in norm.checks(as_of).items():
            besides.setdefault(check, set()).update(said.exige)
    found = []
    for check, spec in catalogue.items():
        reads = reads_of(spec.sql, (*spec.exige, *sorted(besides.get(check, ()))))
        trade = SUBSTITUTE in spec.exige
        found += [(check, extract, extract in reads.proprios, trade) for extract in sorted(reads.todos)]
    return found


def kindred(catalogue: Mapping[str, CheckSpec]) -> Iterator[tuple[str, str]]:
    """Pairs of checks that judge one fact of one kind of subject: of one family, one asks for all that the other does.

    Identifiers apart: nearly every check of a family asks for them.
    """
    asked = {check: {need for need in spec.exige if not need.endswith("_id")} for check, spec in catalogue.items()}
    for one, other in permutations(catalogue.values(), 2):
        a, b = asked[one.id], asked[other.id]
        if a and b and (a <= b or b <= a) and one.sujeito == other.sujeito and one.familia == other.familia:
            yield one.id, other.id
