"""The vocabulary the extract contracts are written in: columns, their kinds, and rules over a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "identificador",
    "texto",
    "maiusculas",
    "norma",
    "documento",
    "placa",
    "data",
    "nascimento",
    "instante",
    "ano",
    "inteiro",
    "dinheiro",
    "indice",
    "booleano",
    "lista",
]

SQL_TYPES: dict[str, str] = {
    "data": "DATE",
    "nascimento": "DATE",
    "instante": "TIMESTAMP",
    "ano": "INTEGER",
    "inteiro": "INTEGER",
    "dinheiro": "DECIMAL(18,2)",
    # A reference unit is multiplied, not paid: its fractions of a cent are kept.
    "indice": "DECIMAL(18,6)",
    "booleano": "BOOLEAN",
}

_UF_TEXT = "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO"
UFS: tuple[str, ...] = tuple(_UF_TEXT.split())


@dataclass(frozen=True)
class Column:
    """One column of an extract: its name, what it holds, and whether a row can do without it."""

    name: str
    kind: Kind
    required: bool = False
    values: tuple[str, ...] = ()

    @property
    def sql_type(self) -> str:
        """DuckDB type of the column in `extrato.<name>`."""
        return SQL_TYPES.get(self.kind, "VARCHAR")


@dataclass(frozen=True)
class RequiredWhen:
    """`column` must be filled in the rows where `other` holds `value`."""

    column: str
    other: str
    value: str


@dataclass(frozen=True)
class Contract:
    """One extract: its columns, its key (None: identical rows are all kept) and its row rules.

    `any_of` names columns of which a file must have one and a row must fill one.
    """

    name: str
    columns: tuple[Column, ...]
    key: str | None = None
    any_of: tuple[str, ...] = ()
    required_when: tuple[RequiredWhen, ...] = ()

    def column(self, name: str) -> Column:
        """The column called `name`; KeyError when the contract has none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in the contract's order."""
        return tuple(column.name for column in self.columns)

    @property
    def has_plate(self) -> bool:
        """Whether rows may name a vehicle by its plate."""
        return "placa" in self.names


def identifier(name: str, required: bool = False) -> Column:
    """A key or code: text from the first byte."""
    return Column(name, "identificador", required)


def text(name: str, required: bool = False) -> Column:
    """Free text."""
    return Column(name, "texto", required)


def upper(name: str, required: bool = False) -> Column:
    """A short code kept in upper case without accents."""
    return Column(name, "maiusculas", required)


def norm(required: bool = True) -> Column:
    """The id of a norm that the run knows."""
    return Column("norma", "norma", required)


def document(name: str, required: bool = False) -> Column:
    """A CPF or CNPJ, kept as bare characters."""
    return Column(name, "documento", required)


def plate(required: bool = False) -> Column:
    """A vehicle plate, old or Mercosul."""
    return Column("placa", "placa", required)


def date(name: str, required: bool = False) -> Column:
    """A day; an hour beside it is cut off."""
    return Column(name, "data", required)


def birth(name: str, required: bool = False) -> Column:
    """A day of birth (valid from 1900 on)."""
    return Column(name, "nascimento", required)


def instant(name: str, required: bool = False) -> Column:
    """A day and hour."""
    return Column(name, "instante", required)


def year(name: str, required: bool = False) -> Column:
    """A year of four digits."""
    return Column(name, "ano", required)


def count(name: str, required: bool = False) -> Column:
    """A whole number, zero or more."""
    return Column(name, "inteiro", required)


def money(name: str, required: bool = False) -> Column:
    """An amount in R$, zero or more."""
    return Column(name, "dinheiro", required)


def index(name: str, required: bool = False) -> Column:
    """The value of a reference unit in R$, with up to six decimals."""
    return Column(name, "indice", required)


def boolean(name: str, required: bool = False) -> Column:
    """Yes or no."""
    return Column(name, "booleano", required)


def choice(name: str, values: str, required: bool = False) -> Column:
    """One of the values listed in `values`, separated by blanks."""
    return Column(name, "lista", required, tuple(values.split()))


def state(name: str = "uf", required: bool = False) -> Column:
    """One of the 27 federal units."""
    return Column(name, "lista", required, UFS)
