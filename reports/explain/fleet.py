"""The vehicles and the lines behind a count of the fleet, so that it can be counted again by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import duckdb

from reports.explain.rows import rows_of

#: Checks of a holder that count its vehicles.
COUNTED = ("frota_reserva_insuficiente",)


def load_fleet(
    con: duckdb.DuckDBPyConnection, achado: Mapping[str, Any], evidence: Mapping[str, Any], as_of: date
) -> dict[str, Any]:
    """`reserva` and `operacao` (vehicle ids) and `linhas` (id → fleet asked for), for the checks that count them.

    The ids are given only where they are as many as the night counted.
    """
    if achado["verificacao"] not in COUNTED:
        return {}
    vehicles = rows_of(
        con,
        "extrato.veiculos",
        "permissionario_id = $p and coalesce(cadastrado_em <= $d, true) and coalesce(baixado_em > $d, true)",
        {"p": achado["permissionario_id"], "d": as_of},
    )
    spare = sorted(v["veiculo_id"] for v in vehicles if v["funcao"] == "reserva")
    running = sorted(v["veiculo_id"] for v in vehicles if v["funcao"] != "reserva")
    counted = len(spare) == evidence.get("reserva") and len(running) == evidence.get("frota_em_operacao")
    lines = rows_of(con, "extrato.linhas", "list_contains($l, linha_id)", {"l": evidence.get("linhas") or []})
    return {
        "reserva": spare if counted else None,
        "operacao": running if counted else None,
        "linhas": {r["linha_id"]: r["frota_exigida"] for r in sorted(lines, key=lambda r: r["linha_id"])},
    }
