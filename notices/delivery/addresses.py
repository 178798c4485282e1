"""Addresses and names out of a registry: what may go into a header, and what may not."""

from __future__ import annotations

import re
import unicodedata

ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)
NAME_LIMIT = 60
SUBJECT_LIMIT = 180


def valid_address(text: str | None) -> str | None:
    """The address, ready for the envelope (domain in ASCII and lower case), or None when it can't be one.

    One address only: a cell with two is for a person to put right.
    """
    local, arroba, dominio = (text or "").strip().rpartition("@")
    if not arroba:
        return None
    try:
        dominio = dominio.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    endereco = f"{local}@{dominio}"
    return endereco if len(endereco) <= 254 and len(local) <= 64 and ADDRESS.fullmatch(endereco) else None


def header_text(text: str, limit: int) -> str:
    """One visible line: no control, direction or format characters, single spaces, at most `limit` characters."""
    limpo = "".join(
        " " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", text) if c != "\u200d"
    )
    limpo = " ".join(limpo.split())
    return limpo if len(limpo) <= limit else limpo[: limit - 1].rstrip() + "…"


def header_name(text: str) -> str:
    """A display name: besides, none of the characters that have a meaning in an address list."""
    return header_text(re.sub(r'[",;:<>()@\[\]\\]', " ", text), NAME_LIMIT)


def allowed(endereco: str, permitidos: tuple[str, ...]) -> bool:
    """Whether the allow-list has the address (`a@b.br`) or its whole domain (`@b.br`)."""
    alvo = endereco.lower()
    return any(alvo == p.lower().strip() or (p.startswith("@") and alvo.endswith(p.lower())) for p in permitidos)
