"""What the reader chose, from the address of the page to SQL with bound values. No text of the reader is ever SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import urlencode

#: Value of a facet that means "nothing written".
VAZIO = "-"
LONGEST = 200
PER_PAGE = 50
PAGE_SIZES = (25, 50, 100, 200)


def _ages(days: str) -> str:
    return (
        f"case when {days} <= 7 then '0-7' when {days} <= 30 then '8-30' when {days} <= 90 then '31-90'"
        f" when {days} <= 180 then '91-180' when {days} <= 365 then '181-365' when {days} > 365 then '366+' end"
    )


def _months(days: str, least: str) -> str:
    return (
        f"case when {days} < {least} then null when {days} <= 30 then '0-30' when {days} <= 60 then '31-60'"
        f" when {days} <= 90 then '61-90' else '91+' end"
    )


#: Facet → SQL over the relations below. `$as_of` is bound.
FACETS = {
    "norma": "a.norma",
    "verificacao": "a.verificacao",
    "situacao": "a.situacao",
    "consequencia": "a.consequencia",
    "etapa": "n.etapa",
    "competente": "a.competente",
    "idade": _ages("($as_of - a.aberta_em)"),
    "atraso": _ages("a.dias"),
    "prazo": _months("(a.devido_em - $as_of)", "0"),
    "estado": "a.estado",
    "linha": "coalesce(lv.linha_id, lp.linha_id)",
    "permissionario": "a.permissionario_id",
    "causa": "a.causa",
    "encerrado": "case when $as_of - a.encerrado_em <= 7 then '0-7' when $as_of - a.encerrado_em <= 30 then '8-30'"
    " when $as_of - a.encerrado_em <= 90 then '31-90' else '91+' end",
    "falta": None,
}
#: Relation joined when an expression names its alias.
JOINS = {
    "n": "left join atos_andamento n on n.achado_id = a.achado_id",
    "p": "left join permissionarios p on p.permissionario_id = a.permissionario_id",
    "v": "left join veiculos v on v.veiculo_id = a.sujeito_id and a.sujeito_tipo = 'veiculo'",
    # The line of a vehicle: that of its last permit; where permits name no vehicle, the holder's only line.
    "lv": "left join (select veiculo_id, arg_max(linha_id, emitido_em) as linha_id from alvaras"
    " where veiculo_id is not null and linha_id is not null group by 1) lv"
    " on lv.veiculo_id = a.sujeito_id and a.sujeito_tipo = 'veiculo'",
    "lp": "left join (select permissionario_id, min(linha_id) as linha_id from alvaras where linha_id is not null"
    " group by 1 having count(distinct linha_id) = 1) lp on lp.permissionario_id = a.permissionario_id",
}
MISSING = "from_json(a.evidencia->'$.falta', '[\"varchar\"]')"
#: A name matches anywhere, without case and accents; an identifier, whole (or the beginning of a finding's).
SEARCH = (
    "(contains(strip_accents(lower(p.nome)), strip_accents(lower($q))) or a.permissionario_id = $q"
    " or a.sujeito_id = $q or starts_with(a.achado_id, $q)"
    " or v.placa_canonica = upper(replace(replace($q, '-', ''), ' ', '')))"
)
#: Facets and search that single out a person: not for those who may see figures only.
PERSONAL = ("permissionario",)


@dataclass(frozen=True)
class Filtro:
    """The choices of one page. `facetas` maps a facet to the one value chosen."""

    facetas: Mapping[str, str] = field(default_factory=dict)
    q: str = ""
    ordem: str = ""
    desc: bool = False
    pagina: int = 1
    por_pagina: int = PER_PAGE

    def where(self) -> str:
        """Conditions joined by `and`, starting with one; only names of parameters, never values."""
        parts = []
        for name, value in self.facetas.items():
            if name == "falta":
                parts.append(f"list_contains({MISSING}, $f_falta)")
            elif value == VAZIO:
                parts.append(f"({FACETS[name]}) is null")
            else:
                parts.append(f"({FACETS[name]}) = $f_{name}")
        if self.q:
            parts.append(SEARCH)
        return "".join(f" and {part}" for part in parts)

    def params(self) -> dict[str, Any]:
        """The values that `where` names."""
        values: dict[str, Any] = {f"f_{n}": v for n, v in self.facetas.items() if v != VAZIO or n == "falta"}
        if self.q:
            values["q"] = self.q
        return values

    def url(self, **changes: str | int | None) -> str:
        """The query string of this page with some choices changed; a change of facet goes back to page one."""
        values: dict[str, str | int] = dict(self.facetas)
        if self.q:
            values["q"] = self.q
        if self.ordem:
            values["ordem"] = self.ordem
            values["sentido"] = "desc" if self.desc else "asc"
        if self.por_pagina != PER_PAGE:
            values["por_pagina"] = self.por_pagina
        for name, value in changes.items():
            if value is None or value == "":
                values.pop(name, None)
            else:
                values[name] = value
        return urlencode(values)


def read_filter(query: Mapping[str, str], facets: tuple[str, ...], orders: tuple[str, ...], names: bool) -> Filtro:
    """Choices from the address; what the page doesn't know is left out. `names` False: nobody is singled out."""
    chosen = {
        name: query[name][:LONGEST]
        for name in dict.fromkeys((*facets, "permissionario"))
        if query.get(name) and (names or name not in PERSONAL)
    }
    return Filtro(
        facetas=chosen,
        q=" ".join(query.get("q", "").replace("\0", "").split())[:LONGEST] if names else "",
        ordem=query["ordem"] if query.get("ordem") in orders else "",
        desc=query.get("sentido") == "desc",
        pagina=_number(query.get("pagina"), 1, 1, 100_000),
        por_pagina=_number(query.get("por_pagina"), PER_PAGE, min(PAGE_SIZES), max(PAGE_SIZES)),
    )


def _number(text: str | None, default: int, least: int, most: int) -> int:
    if not text or not text.isascii() or not text.isdigit() or len(text) > 9:
        return default
    return min(max(int(text), least), most)


def relation(table: str, *expressions: str) -> str:
    """FROM of a table as `a` with the relations whose alias the expressions name."""
    text = " ".join(expressions)
    used = [join for alias, join in JOINS.items() if re.search(rf"(?<![\w.]){alias}\.", text)]
    return " ".join([f"{table} a", *used])


def day_params(text: str, as_of: date) -> dict[str, Any]:
    """`as_of` where the SQL names it: DuckDB refuses a value that nobody asked for."""
    return {"as_of": as_of} if "$as_of" in text else {}
