"""From norms to the parameter rows the engine binds: what is in force on the as-of date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from checks.law.catalogue import CheckSpec
from checks.law.findings import ParameterRow
from data.fingerprints import fingerprints
from data.model import Norm
from sql.lineage import norm_tables


def parameter_rows(
    norms: Iterable[Norm], catalogue: Mapping[str, CheckSpec], as_of: date
) -> dict[str, list[ParameterRow]]:
    """Per check, one row for each norm that has the rule on `as_of`."""
    rows: dict[str, list[ParameterRow]] = {}
    for norm in norms:
        for check_id, said in norm.checks(as_of).items():
            if check_id not in catalogue:
                continue
            rows.setdefault(check_id, []).append(
                ParameterRow(
                    norma=norm.id,
                    dispositivo=said.dispositivo,
                    consequencia=said.consequencia,
                    competente=said.competente,
                    valores=said.parametros,
                    regras=[{"dispositivo": r.dispositivo, **r.parametros} for r in said.regras],
                    exige=said.exige,
                    aviso_dias=said.aviso_dias,
                )
            )
    return rows


def check_fingerprints(
    rows: Mapping[str, Iterable[ParameterRow]], catalogue: Mapping[str, CheckSpec], norms: Iterable[Norm], as_of: date
) -> dict[tuple[str, str], str]:
    """Per (norm, check) of the parameter rows, the hash of what of the norm can change its answer on `as_of`."""
    asked: dict[str, dict[str, frozenset[str]]] = {}
    for check, found in rows.items():
        for row in found:
            asked.setdefault(row.norma, {})[check] = norm_tables(catalogue[check].sql)
    return {
        (norm.id, check): value
        for norm in norms
        if norm.id in asked
        for check, value in fingerprints(norm, asked[norm.id], as_of).items()
    }
