"""Small reference extracts: lines, holidays, units, DETRAN calendar, towns, waiting list."""

from datetime import date, timedelta

import numpy as np
import polars as pl

from data.exemplo.pessoas import person_names
from data.exemplo.sorteio import frame, ids, pick, spread, stream, year_of

ENDS = [(3, 31), (4, 30), (5, 29), (6, 30), (7, 31), (8, 31), (9, 30), (10, 30), (12, 11), (12, 30)]
PLACES = {
    "408/2009": [
        "Centro",
        "Praia do Forte",
        "Imbassaí",
        "Diogo",
        "Açu da Torre",
        "Malhadas",
        "Sauípe",
        "Barro Branco",
    ],
    "1343/1994": ["Centro", "Jequiezinho", "Mandacaru", "Joaquim Romão", "Cidade Nova", "Curral Novo"],
    "1854/1999": ["Centro", "Brejo do Amparo", "Pandeiros", "Tejuco", "Vila Jadete", "São Joaquim"],
    "30258/1983": [
        "Salvador",
        "Camaçari",
        "Candeias",
        "Simões Filho",
        "Lauro de Freitas",
        "Dias d'Ávila",
        "Itaparica",
    ],
}
TOWNS = [
    ("Mata de São João", "BA", 42566),
    ("Jequié", "BA", 158813),
    ("Januária", "MG", 65150),
    ("Salvador", "BA", 2417678),
    ("Camaçari", "BA", 300372),
]
UNITS = {"TARIFA_SITIAC": 500, "UFP": 1234, "UPFM": 456, "VRE": 10000}


def lines(seed: int, as_of: np.datetime64) -> pl.DataFrame:
    """Lines between the places of each norm's town; a few experimental or special."""
    rng = stream(seed, "linhas")
    rows = [
        (norm, f"{a} - {b}") for norm, places in PLACES.items() for i, a in enumerate(places) for b in places[i + 1 :]
    ]
    n = len(rows)
    kind = pick(rng, ["comum", "experimental", "extraordinaria", "especial"], n, [90, 4, 3, 3])
    started = np.where(kind == "comum", as_of - spread(rng, 900, 5000, n), as_of - spread(rng, 20, 210, n))
    return frame(
        linha_id=ids("L", n, 3),
        norma=np.array([r[0] for r in rows], dtype=object),
        nome=np.array([r[1] for r in rows], dtype=object),
        categoria=kind,
        iniciada_em=started,
        frota_exigida=pl.Series(rng.integers(1, 9, n)),
    )


def easter(year: int) -> date:
    """Easter Sunday (Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    return date(year, (h + k - 7 * m + 114) // 31, (h + k - 7 * m + 114) % 31 + 1)


def holidays(as_of: np.datetime64) -> pl.DataFrame:
    """What the municipality adds to the national calendar: Carnival, Corpus Christi and its own days."""
    this_year = year_of(as_of)
    rows: list[tuple[date, str, str, str | None, str | None]] = []
    for year in range(this_year - 3, this_year + 2):
        sunday = easter(year)
        for days, name in [
            (-48, "Carnaval (segunda-feira)"),
            (-47, "Carnaval (terça-feira)"),
            (60, "Corpus Christi"),
        ]:
            rows.append((sunday + timedelta(days), name, "ponto_facultativo", None, None))
        rows += [
            (date(year, 4, 15), "Aniversário da cidade", "municipal", "BA", "Mata de São João"),
            (date(year, 6, 24), "São João", "municipal", "BA", "Mata de São João"),
            (date(year, 6, 24), "São João", "municipal", "BA", "Jequié"),
            (date(year, 10, 25), "Aniversário da cidade", "municipal", "BA", "Jequié"),
            (date(year, 10, 7), "Aniversário da cidade", "municipal", "MG", "Januária"),
        ]
    return pl.DataFrame(rows, schema=["data", "nome", "escopo", "uf", "municipio"], orient="row")


def units(as_of: np.datetime64) -> pl.DataFrame:
    """Reference units in cents, adjusted every January."""
    this_year = year_of(as_of)
    rows = [
        (u, date(y, 1, 1), round(v * 1.05 ** (y - this_year)))
        for u, v in UNITS.items()
        for y in range(this_year - 4, this_year + 1)
    ]
    return pl.DataFrame(rows, schema=["unidade", "vigente_desde", "valor"], orient="row")


def licensing(as_of: np.datetime64) -> pl.DataFrame:
    """DETRAN due dates by final digit of the plate, this year's and the next's."""
    this_year = year_of(as_of)
    rows = [
        (uf, y, str((i + 1) % 10), date(y, m, d))
        for uf in ("BA", "MG")
        for y in (this_year - 1, this_year, this_year + 1)
        for i, (m, d) in enumerate(ENDS)
    ]
    return pl.DataFrame(rows, schema=["uf", "exercicio", "final_placa", "vence_em"], orient="row")


def towns(as_of: np.datetime64) -> pl.DataFrame:
    """Population of the towns the norms speak of."""
    this_year = year_of(as_of)
    return pl.DataFrame(
        [(m, uf, p, this_year - 1) for m, uf, p in TOWNS],
        schema=["municipio", "uf", "populacao", "referencia"],
        orient="row",
    )


def waiting_list(seed: int, as_of: np.datetime64) -> pl.DataFrame:
    """People who asked for a mototaxi permission and wait."""
    rng = stream(seed, "lista_espera")
    n = 40
    return frame(
        norma=np.full(n, "825/2021", dtype=object),
        nome=person_names(rng, n),
        requerido_em=np.sort(as_of - spread(rng, 3, 900, n)),
    )
