"""Which file of the folder belongs to which extract."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

FORMATS = (".csv", ".parquet", ".xlsx")


@dataclass(frozen=True)
class Folder:
    """The files of a folder: by extract, and those that match none."""

    by_extract: dict[str, tuple[Path, ...]]
    unmatched: tuple[str, ...]


def extract_of(name: str, extracts: Iterable[str]) -> str | None:
    """The extract that a file name belongs to, or None.

    The stem is the extract's name, alone or followed by a dash or underscore and anything; the longest name wins.
    """
    path = Path(name)
    if path.suffix.lower() not in FORMATS:
        return None
    stem = path.stem.lower()
    found = [e for e in extracts if stem == e or stem.startswith((f"{e}-", f"{e}_"))]
    return max(found, key=len, default=None)


def suggestion(name: str, extracts: Iterable[str]) -> str:
    """What to do (Portuguese) about a file whose name is no extract's: the format, or the nearest name."""
    path, names = Path(name), sorted(extracts)
    if extract_of(f"{path.stem}.csv", names) is not None:
        return f"o formato {path.suffix or 'sem extensão'} não é lido: exporte em {', '.join(FORMATS)}"
    stem = path.stem.lower()
    lead = re.split(r"[-_ .]*\d|-| ", stem, maxsplit=1)[0]
    near = get_close_matches(lead, names, 1, 0.7) or get_close_matches(stem, names, 1, 0.7)
    valid = f"os nomes são {', '.join(names)}"
    return f"seria {near[0]}{path.suffix}? Renomeie-o; {valid}" if near else valid


def list_folder(folder: Path, extracts: Iterable[str]) -> Folder:
    """Sort the files of `folder` (not its subfolders) by extract. Hidden files are not looked at."""
    names = tuple(extracts)
    by_extract: dict[str, list[Path]] = {}
    unmatched = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() or path.name.startswith("."):
            continue
        extract = extract_of(path.name, names)
        if extract is None:
            unmatched.append(path.name)
        else:
            by_extract.setdefault(extract, []).append(path)
    return Folder({k: tuple(v) for k, v in by_extract.items()}, tuple(unmatched))
