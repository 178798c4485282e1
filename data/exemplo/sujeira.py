"""Deliberate dirt: what real extracts bring, a few rows of each kind, below what would refuse a file."""

from collections.abc import Callable

import polars as pl

from data.exemplo.sorteio import stream

Dirty = Callable[[pl.DataFrame], pl.DataFrame]
SLIPS = str.maketrans({"I": "1", "1": "I", "O": "0", "0": "O", "B": "8", "8": "B"})


def dirty(seed: int, extract: str) -> Dirty | None:
    """The dirt of one extract's text (`autos 2025`: of one of its files), or None where it stays clean."""
    plan = _PLAN.get(extract.split()[0])
    if plan is None:
        return None

    def apply(rows: pl.DataFrame) -> pl.DataFrame:
        if rows.height < 200:
            return rows
        rng = stream(seed, "sujeira " + extract)
        # Places in the middle of the file that don't depend on how long tonight's file is.
        spots = iter(rng.permutation(min(rows.height, 1500) - 10).tolist())
        edits: dict[str, list[tuple[int, str | None]]] = {}
        for column, values in plan["valores"]:
            for value in values:
                at = next(spots)
                old = rows[column][at]
                new = value(old) if callable(value) else value
                edits.setdefault(column, []).append((at, new))
        for column, changes in edits.items():
            series = rows[column].to_list()
            for at, new in changes:
                series[at] = new
            rows = rows.with_columns(pl.Series(column, series, dtype=pl.String))
        same = rows[[next(spots) for _ in range(plan["repetidas"])]]
        other = rows[[next(spots) for _ in range(plan["conflitos"])]]
        if plan["conflitos"]:
            column, suffix = plan["difere"]
            other = other.with_columns(pl.col(column).fill_null("") + suffix)
        return pl.concat([rows, same, other])

    return apply


def _slip(plate: str | None) -> str | None:
    """The plate with its first I/1, O/0 or B/8 misread; unchanged where there is none."""
    if plate is None:
        return None
    for i, ch in enumerate(plate):
        if ch in "I1O0B8":
            return plate[:i] + ch.translate(SLIPS) + plate[i + 1 :]
    return plate


def _lost_zeros(document: str | None) -> str | None:
    return document.lstrip("0") if document else None


def _wrong_digit(document: str | None) -> str | None:
    return document[:-1] + str((int(document[-1]) + 1) % 10) if document else None


def _shout(value: str | None) -> str | None:
    return value.upper() if value else None


_PLAN: dict[str, dict] = {
    "permissionarios": {
        "valores": [
            ("documento", [_wrong_digit] * 4 + [_lost_zeros] * 8),
            ("norma", ["999/2099"]),
            ("cadastrado_em", ["31/02/2019", "01/01/19"]),
            ("cadastro_atualizado_em", ["30/12/1899", "00/00/0000"]),
            ("tipo_pessoa", ["Jurídica?"]),
            ("email", ["sem e-mail", "N/A", "-"]),
            ("situacao", [_shout] * 20),
        ],
        "repetidas": 3,
        "conflitos": 1,
        "difere": ("endereco", " (novo)"),
    },
    "veiculos": {
        "valores": [
            ("ano_fabricacao", ["2214", "1899", "20I9"]),
            ("placa", ["OWW7914X", "AB-123", _slip, _slip]),
            ("primeiro_uso_em", ["30/12/1899", "31/04/2022"]),
            ("lugares", ["-4", "mil"]),
            ("licenciamento_vence_em", ["31/02/2027"]),
            ("seguro_vence_em", ["12/13/2026"]),
        ],
        "repetidas": 4,
        "conflitos": 1,
        "difere": ("chassi", "X"),
    },
    "alvaras": {
        "valores": [
            ("emitido_em", ["2025-02-30", "1899-12-30"]),
            ("valido_ate", ["2206-01-15", "9999-99-99", "N/A"]),
            ("modalidade", ["alvará", "PERMISSÃO", "provisório"]),
            ("permissionario_id", ["009999", "008888"]),
        ],
        "repetidas": 6,
        "conflitos": 1,
        "difere": ("linha_id", "9"),
    },
    "condutores": {
        "valores": [
            ("nascido_em", ["1899-12-30", "2031-01-01"]),
            ("cnh_valida_ate", ["2026-02-31", "NULL"]),
            ("documento", [_wrong_digit] * 3),
            ("permissionario_id", ["009999"]),
        ],
        "repetidas": 5,
        "conflitos": 0,
        "difere": ("nome", ""),
    },
    "vistorias": {
        "valores": [
            ("veiculo_id", ["V999998", "V999999"]),
            ("placa", [_slip] * 6 + ["ZZZ9Z99", "abc-1234"]),
            ("realizada_em", ["31/06/2026", "15/15/2025"]),
            ("resultado", [_shout] * 30 + ["aprov."]),
        ],
        "repetidas": 8,
        "conflitos": 2,
        "difere": ("itens", " (2ª via)"),
    },
    "autos": {
        "valores": [
            ("auto_id", ["1.12E+13", "2,4E+08"]),
            ("permissionario_id", ["009999", "007777", "009999"]),
            ("ocorrido_em", ["31/02/2025 10:00", "05/06/25 07:30"]),
            ("pago_em", ["30/02/2026", "30/12/1899"]),
            ("valor", ["1,234.56", "R$ -574,00", "quinhentos"]),
            ("placa", [_slip] * 4),
            ("codigo", ["99-X", "S/C"]),
        ],
        "repetidas": 6,
        "conflitos": 2,
        "difere": ("local", " (retificado)"),
    },
}
