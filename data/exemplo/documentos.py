"""Valid CPF, CNPJ (numeric and alphanumeric) and plates for people and vehicles who do not exist."""

import numpy as np

LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), dtype=object)


def _digit(codes: np.ndarray, weights: list[int]) -> np.ndarray:
    """Check digit modulo 11: codes are character values (digit, or ASCII minus 48 for a letter)."""
    rest = (codes * np.array(weights)).sum(axis=1) % 11
    return np.where(rest < 2, 0, 11 - rest)


def cpf(rng: np.random.Generator, n: int) -> np.ndarray:
    """`n` CPF with valid check digits, 11 characters each."""
    body = rng.integers(0, 10, (n, 9))
    body[:, 0] = np.where((body == body[:, :1]).all(axis=1), (body[:, 0] + 1) % 10, body[:, 0])
    first = _digit(body, list(range(10, 1, -1)))
    second = _digit(np.column_stack([body, first]), list(range(11, 1, -1)))
    return _join(np.column_stack([body, first, second]))


def cnpj(rng: np.random.Generator, n: int, alphanumeric: float = 0.0) -> np.ndarray:
    """`n` valid CNPJ, 14 characters; a share of them in the alphanumeric form."""
    body = rng.integers(0, 10, (n, 12))
    body[:, 8:12] = [0, 0, 0, 1]
    new = rng.random(n) < alphanumeric
    spots = rng.integers(0, 26, (n, 3)) + 17  # 'A' is ASCII 65, minus 48
    body[:, 2:5] = np.where(new[:, None], spots, body[:, 2:5])
    first = _digit(body, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
    second = _digit(np.column_stack([body, first]), [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
    return _join(np.column_stack([body, first, second]))


def _join(codes: np.ndarray) -> np.ndarray:
    chars = (codes + 48).astype(np.uint8)
    packed = np.frombuffer(np.ascontiguousarray(chars).tobytes(), dtype=f"S{codes.shape[1]}")
    return np.char.decode(packed, "ascii").astype(object)


def masked_cpf(values: np.ndarray) -> np.ndarray:
    """`123.456.789-09`."""
    return np.array([f"{v[:3]}.{v[3:6]}.{v[6:9]}-{v[9:]}" for v in values], dtype=object)


def masked_cnpj(values: np.ndarray) -> np.ndarray:
    """`12.ABC.345/0001-35`."""
    return np.array([f"{v[:2]}.{v[2:5]}.{v[5:8]}/{v[8:12]}-{v[12:]}" for v in values], dtype=object)


def plates(rng: np.random.Generator, n: int) -> np.ndarray:
    """`n` plates of `n` different vehicles, about half `ABC-1234` and half Mercosul `ABC1C34`."""
    # An affine walk over all 26^3 * 10^4 plates repeats nothing, whatever n is.
    total = 26**3 * 10_000
    serial = (rng.integers(0, total) + np.arange(n, dtype=np.int64) * 104_729_377) % total
    head, number = serial // 10_000, serial % 10_000
    mercosul = rng.random(n) < 0.5
    out = np.empty(n, dtype=object)
    for i, (h, k, new) in enumerate(zip(head.tolist(), number.tolist(), mercosul.tolist(), strict=True)):
        digits = f"{k:04d}"
        letters = f"{LETTERS[h // 676]}{LETTERS[h // 26 % 26]}{LETTERS[h % 26]}"
        out[i] = f"{letters}{digits[0]}{'ABCDEFGHIJ'[int(digits[1])]}{digits[2:]}" if new else f"{letters}-{digits}"
    return out
