"""Draws of the made-up registry: one independent stream per subject, fixed by the seed alone."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import polars as pl

Days = np.ndarray  # datetime64[D]; NaT is "no date"
HERE = Path(__file__).parent
NAT = np.datetime64("NaT", "D")


@cache
def words() -> dict[str, list[str]]:
    """Names, streets and company words of nomes.toml."""
    return tomllib.loads((HERE / "nomes.toml").read_text(encoding="utf-8"))


def stream(seed: int, name: str) -> np.random.Generator:
    """A generator for one subject: adding a subject leaves the draws of the others as they were."""
    return np.random.default_rng([seed, crc32(name.encode())])


def pick(rng: np.random.Generator, options: list[Any] | np.ndarray, n: int, p: list[float] | None = None) -> np.ndarray:
    """`n` draws of `options` as an object array, weighted by `p` (any positive weights)."""
    pool = np.empty(len(options), dtype=object)
    pool[:] = options
    if p is None:
        return pool[rng.integers(0, len(pool), n)]
    edges = np.cumsum(np.asarray(p, dtype=float))
    return pool[np.minimum(np.searchsorted(edges / edges[-1], rng.random(n), side="right"), len(pool) - 1)]


def spread(rng: np.random.Generator, low: int, high: int, n: int) -> np.ndarray:
    """`n` whole numbers of days from `low` to `high`, both included."""
    return rng.integers(low, high + 1, n).astype("timedelta64[D]")


def where(mask: np.ndarray, dates: Days) -> Days:
    """The dates where `mask`, no date elsewhere."""
    return np.where(mask, dates, NAT)


def text(mask: np.ndarray, values: np.ndarray | str) -> np.ndarray:
    """The values where `mask`, empty elsewhere."""
    out = np.full(len(mask), None, dtype=object)
    out[mask] = values[mask] if isinstance(values, np.ndarray) else values
    return out


def ids(prefix: str, n: int, width: int = 6, start: int = 1) -> np.ndarray:
    """`n` identifiers `prefix000001`, ..."""
    return np.array([f"{prefix}{i:0{width}d}" for i in range(start, start + n)], dtype=object)


def years(dates: Days) -> np.ndarray:
    """The calendar year of each date, as integers."""
    return dates.astype("datetime64[Y]").astype(int) + 1970


def year_of(day: np.datetime64) -> int:
    """The calendar year of one date."""
    return int(day.astype("datetime64[Y]").astype(int)) + 1970


def ymd(year: np.ndarray, month: np.ndarray | int, day: np.ndarray | int) -> Days:
    """Dates from parts; the day must exist in the month."""
    months = (np.asarray(year) - 1970) * 12 + (np.asarray(month) - 1)
    return months.astype("datetime64[M]").astype("datetime64[D]") + (np.asarray(day) - 1).astype("timedelta64[D]")


def frame(**columns: Any) -> pl.DataFrame:
    """A frame from numpy columns: object arrays are text, datetime64 dates, NaT is null."""
    out: dict[str, pl.Series] = {}
    for name, values in columns.items():
        if isinstance(values, pl.Series):
            out[name] = values.alias(name)
        elif isinstance(values, np.ndarray) and values.dtype == object:
            out[name] = pl.Series(name, values.tolist(), dtype=pl.String)
        else:
            out[name] = pl.Series(name, values)
    return pl.DataFrame(out)
