"""CPFs and CNPJs in the evidence: masked whatever their check digits, and told apart where the masks are the same."""

from __future__ import annotations

import json
import re
from functools import cache

from reports.formats import document_br


def mask_evidence(text: str | None) -> str:
    """The evidence (JSON text) without the whole document of anybody; masking twice changes nothing.

    Where two fields of it hold documents that differ and whose masks don't, the second says which digits differ.
    """
    if not text or "documento" not in text:
        return text or ""
    seen: dict[str, str] = {}

    def masked(found: re.Match[str]) -> str:
        name, value = found[1], json.loads(f'"{found[2]}"')
        told = document_br(value)
        for other in seen.values():
            if other != value and document_br(other) == told:
                told += _difference(other, value)
                break
        seen.setdefault(name, value)
        return f'{found[0][: found.start(2) - found.start()]}{json.dumps(told, ensure_ascii=False)[1:-1]}"'

    return _pattern().sub(masked, text)


def _difference(one: str, other: str) -> str:
    """` (difere nos dígitos 10 e 11, ocultos)`; nothing where both are masks already."""
    a, b = (re.sub(r"[^0-9A-Za-z]", "", d) for d in (one, other))
    places = [str(n) for n, (x, y) in enumerate(zip(a, b, strict=False), 1) if x != y]
    if not places or "*" in one + other:
        return ""
    if len(places) == 1:
        return f" (difere no dígito {places[0]}, oculto)"
    return f" (difere nos dígitos {', '.join(places[:-1])} e {places[-1]}, ocultos)"


@cache
def _pattern() -> re.Pattern[str]:
    """A field of the evidence that holds a document, and its value."""
    from reports.explain.vocabulary import load_vocabulary

    names = sorted(n for n, said in load_vocabulary().items() if said.get("tipo") == "documento")
    return re.compile(rf'"({"|".join(map(re.escape, names))})"\s*:\s*"((?:[^"\\]|\\.)*)"')
