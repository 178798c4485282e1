"""The made-up municipality: `write_demo` writes its extracts, `three_nights` three nights of them.

Everything follows from the seed and the date: the same arguments give the same bytes.
"""

import shutil
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from data.exemplo import autuacoes, frota, inspecoes, licencas, pessoas, rotina, tabelas
from data.exemplo.dialetos import write
from data.exemplo.noites import as_known
from data.exemplo.sujeira import dirty

AS_OF = date(2026, 11, 30)
SEED = 408
OPERADORES = 3000

Registry = dict[str, pl.DataFrame]


def registry(as_of: date = AS_OF, seed: int = SEED, operadores: int = OPERADORES) -> Registry:
    """Every extract as a typed frame (money in cents), clean, with events up to and after `as_of`."""
    day = np.datetime64(as_of, "D")
    due, units, lines = tabelas.licensing(day), tabelas.units(day), tabelas.lines(seed, day)
    operators = pessoas.operators(seed, operadores, day)
    fleet = frota.vehicles(seed, operators, day, due)
    crew = pessoas.crew(seed, operators, fleet, day)
    fined = autuacoes.autos(seed, operators, fleet, crew, lines, units, day)
    return {
        "permissionarios": operators,
        "veiculos": fleet,
        "alvaras": licencas.permits(seed, operators, fleet, lines, day),
        "condutores": crew,
        "vistorias": inspecoes.inspections(seed, operators, fleet, day),
        "autos": fined,
        "linhas": lines,
        "operacao": rotina.trips(seed, operators, fleet, crew, day),
        "obrigacoes": rotina.duties(seed, operators, day),
        "garantias": rotina.guarantees(seed, operators, day),
        "taxas": rotina.fees(seed, operators, fleet, day),
        "comunicacoes": rotina.communications(seed, operators, day),
        "processos": autuacoes.processes(seed, operators, fined, day),
        "valores_referencia": units,
        "feriados": tabelas.holidays(day),
        "municipios": tabelas.towns(day),
        "lista_espera": tabelas.waiting_list(seed, day),
        "calendario_licenciamento": due,
        "dispensas": rotina.waivers(seed, fined, fleet, day),
    }


def write_night(folder: Path, world: Registry, night: date, seed: int = SEED) -> Path:
    """Write the folder dropped on `night`: its dialects, its dirt, nothing later than the night."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in world.items():
        known = as_known(name, rows, night)
        if name == "autos":
            _write_autos(folder, known, seed)
        else:
            write(folder, name, known, dirty(seed, name))
    return folder


def _write_autos(folder: Path, rows: pl.DataFrame, seed: int) -> None:
    """Two yearly files and an older one, as the inspection department exports them, each with its total."""
    last = rows["ocorrido_em"].dt.year().max()
    assert isinstance(last, int)
    year = rows["ocorrido_em"].dt.year()
    parts = {"historico": year < last - 1, str(last - 1): year == last - 1, str(last): year == last}
    for name, mask in parts.items():
        part = rows.filter(mask)
        footer = f"TOTAL;{part.height}"
        write(folder, f"autos-{name}", part, dirty(seed, f"autos {name}"), footer, extract="autos")


def write_demo(folder: Path, as_of: date = AS_OF, seed: int = SEED, operadores: int = OPERADORES) -> Path:
    """Write one night of the made-up municipality, all extracts of the contract, as of `as_of`."""
    return write_night(folder, registry(as_of, seed, operadores), as_of, seed)


def three_nights(
    folder: Path, as_of: date = AS_OF, seed: int = SEED, operadores: int = OPERADORES, dias: int = 3
) -> list[tuple[date, Path]]:
    """Write `dias` consecutive nights ending on `as_of`, one folder `AAAA-MM-DD` each, oldest first.

    Between them fines are paid, permits renewed, autos written and a dispensa granted. On the last but one of three
    the inspections' file comes cut short: it is refused and the night before's stays in force.
    """
    world = registry(as_of, seed, operadores)
    nights = []
    for back in range(dias - 1, -1, -1):
        night = as_of - timedelta(days=back)
        target = folder / night.isoformat()
        if target.exists():
            shutil.rmtree(target)
        write_night(target, world, night, seed)
        if back == 1 and dias > 2:  # the first night has nothing to fall back on
            _cut_short(target / "vistorias.csv")
        nights.append((night, target))
    return nights


def _cut_short(path: Path) -> None:
    """Keep the first half of a file, as an interrupted transfer leaves it."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
