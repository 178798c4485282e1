"""CPFs hidden wherever they turn up, even inside an identifier or a text; other numbers stay readable."""

from __future__ import annotations

import re

from reports.formats import mask_cpf

_SHAPE = re.compile(r"(?<![\w.])\d{3}\.?\d{3}\.?\d{3}[-/ ]?\d{2}(?![\w/])")


def hide_cpfs(text: str | None) -> str:
    """Every CPF in a text masked: whatever has its punctuation, and bare numbers whose check digits agree.

    An auto or a RENAVAM of eleven digits is no CPF and has to stay legible.
    """
    return _SHAPE.sub(lambda m: mask_cpf(m.group()) if _is_cpf(m.group()) else m.group(), text or "")


def _is_cpf(text: str) -> bool:
    if not text.isdigit():
        return True
    digits = [int(c) for c in text]
    if len(set(digits)) == 1:
        return False
    for size in (9, 10):
        total = sum(d * (size + 1 - i) for i, d in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != digits[size]:
            return False
    return True
