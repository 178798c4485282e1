"""What a kind of column gives: SQL for its value, and for what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

# Stands for `Cell.work` in the expressions that use it.
WORK = "<work>"

# How a lone `1.234` is read in a column: settled by its other values, or not.
Dot = Literal["milhar", "decimal", "indefinido"]


@dataclass(frozen=True)
class Setting:
    """What typing depends on beside the contract.

    as_of: dates more than 50 years after it are invalid. normas: known norm ids, None for any. excel: numbers in date
    columns are days since 1899-12-30. dots: per column, how its lone `1.234` is read.
    """

    as_of: date
    normas: frozenset[str] | None = None
    excel: bool = False
    dots: dict[str, Dot] = field(default_factory=dict)

    @property
    def latest(self) -> date:
        """The last valid date."""
        try:
            return self.as_of.replace(year=self.as_of.year + 50)
        except ValueError:  # 29 February
            return self.as_of.replace(year=self.as_of.year + 50, day=28)


@dataclass(frozen=True)
class Cell:
    """SQL expressions over one column's raw text (never absent, already trimmed).

    fast: the value where there is nothing to say about it, NULL where `value`, `error` and `warning` must be looked at.
    error: why the value cannot be used (NULL: it can). warning: what is doubtful about a value that is used.
    work: a step that the three share, which they call `WORK`; DuckDB would do it again in each arm of a CASE.
    fatal: whether an error in a required column rejects the row.
    """

    fast: str
    value: str
    error: str = "NULL::VARCHAR"
    warning: str = "NULL::VARCHAR"
    work: str = "NULL"
    fatal: bool = True

    def working_on(self, name: str) -> Cell:
        """The same cell with the shared step called `name`."""
        return replace(
            self,
            value=self.value.replace(WORK, name),
            error=self.error.replace(WORK, name),
            warning=self.warning.replace(WORK, name),
        )


def quote(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def raw_text(column: str, native: str) -> str:
    """A column as read, as text; text columns are already trimmed, their absent values NULL."""
    if native in ("DOUBLE", "FLOAT"):
        # A whole number kept as a float (a nullable integer, to pandas) is that number.
        whole = f"{column} = trunc({column}) AND abs({column}) < 9007199254740992"
        text = f"CASE WHEN {whole} THEN {column}::BIGINT::VARCHAR ELSE {column}::VARCHAR END"
        return f"CASE WHEN isnan({column}) THEN NULL ELSE {text} END"
    if native == "TIMESTAMP WITH TIME ZONE":
        return f"timezone('America/Bahia', {column})::VARCHAR"
    return column if native == "VARCHAR" else f"{column}::VARCHAR"
