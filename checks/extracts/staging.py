"""The rows of one file on their way: names of the passing tables, and the SQL that all steps share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from checks.extracts.columns import Column, Contract
from checks.extracts.naming import Naming
from checks.extracts.tables import typed_columns
from checks.extracts.typing.cell import Setting, quote

BATCH = "lote_do_extrato"
SUSPECT = "linhas_suspeitas"
LOOKED = "linhas_revistas"
BROKEN = "linhas_quebradas"
JUDGED = "linhas_julgadas"


@dataclass
class Counts:
    """Rows of one file by what became of them."""

    lidas: int = 0
    carregadas: int = 0
    rejeitadas: int = 0
    ignoradas: int = 0


@dataclass(frozen=True)
class Target:
    """Where a file goes: its contract, the name it is reported under, its columns, and what typing depends on."""

    contract: Contract
    arquivo: str
    naming: Naming
    setting: Setting

    @property
    def present(self) -> list[Column]:
        """The contract columns that the file has."""
        return [column for column in self.contract.columns if column.name in self.naming.positions]

    def person(self, prefix: str) -> str | None:
        """SQL for the row's PF or PJ, where the file has it. `prefix` goes before the column's name."""
        return f"upper({prefix}tipo_pessoa)" if "tipo_pessoa" in self.naming.positions else None


@dataclass(frozen=True)
class RowRule:
    """A rule over several columns of a row: SQL that holds where it is kept, the column to blame, what to do."""

    holds: str
    column: str
    message: str


def row_rules(target: Target, prefix: str) -> Iterator[RowRule]:
    """The contract's rules over several columns, on values called `<prefix><column>`."""
    contract, positions = target.contract, target.naming.positions
    if contract.any_of:
        filled = " OR ".join(f"{prefix}{name} IS NOT NULL" for name in contract.any_of if name in positions)
        yield RowRule(f"({filled})", contract.any_of[0], f"preencha {' ou '.join(contract.any_of)}")
    for rule in contract.required_when:
        value = f"{prefix}{rule.column}" if rule.column in positions else "NULL"
        other = f"{prefix}{rule.other} IS DISTINCT FROM {quote(rule.value)}"
        yield RowRule(
            f"({other} OR {value} IS NOT NULL)", rule.column, f"{rule.other} {rule.value} exige {rule.column}"
        )


def final_select(target: Target, prefix: str, unknown: str) -> str:
    """The select list that fills `extrato.<name>` from values called `<prefix><column>`."""
    values = {column.name: f"{prefix}{column.name}" for column in target.present}
    if "placa" in values:
        values["placa_canonica"] = f"placa_canonica({values['placa']})"
    values |= {"arquivo": quote(target.arquivo), "linha": "linha", "desconhecidos": unknown}
    return ", ".join(values.get(name, "NULL") for name, _ in typed_columns(target.contract))
