"""What the made-up treasury charges: the renewal amounts of data/normas, in cents."""

import csv
from functools import cache

from data.exemplo.infracoes import NORMAS


@cache
def renewal_fees(norm: str) -> dict[tuple[str, str], int]:
    """(fee code, vehicle tipo or `todas`) → cents, for the years after the first."""
    path = NORMAS / norm.replace("/", "-") / "taxas.csv"
    with path.open(encoding="utf-8-sig", newline="") as f:
        return {
            (row["codigo"], row["categoria"]): round(float(row["valor"]) * 100)
            for row in csv.DictReader(f, delimiter=";")
            if row["momento"] in ("renovacao", "anual") and row["unidade"] == "BRL" and row["valor"]
        }
