"""CSV files as municipal systems write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from checks.extracts.model import UnreadableFile
from checks.extracts.reading import csv_records
from checks.extracts.reading.csv_records import Records
from checks.extracts.reading.source import Batch

BLOCK = 1 << 25
DELIMITERS = (";", ",", "\t", "|")
BOM = b"\xef\xbb\xbf"


class CsvSource:
    """A CSV file: its encoding is strict UTF-8 where `utf8` says so, else Windows-1252.

    `score` tells how many of the names in a header are known, and decides the delimiter.
    """

    excel = False

    def __init__(self, path: Path, utf8: bool, score: Callable[[list[str]], int]) -> None:
        """Open `path` and read its header; UnreadableFile when there is none."""
        self._path = path
        self._utf8 = utf8
        self.warnings: list[str] = []
        with path.open("rb") as file:
            start = file.read(csv_records.MAX_QUOTED) + b"\n"
        if start.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in start:
            raise UnreadableFile("o arquivo não está em UTF-8 nem em Windows-1252: exporte-o de novo em UTF-8")
        self.encoding: str | None = ("utf-8-sig" if start.startswith(BOM) else "utf-8") if utf8 else "windows-1252"
        if b"\n" not in start[:-1] and b"\r" in start.strip():
            raise UnreadableFile("as linhas terminam só com CR (Mac antigo): exporte o arquivo de novo")
        skipped = len(BOM) if start.startswith(BOM) else 0
        lines = 0
        self.delimiter: str | None = None
        while True:
            end = start.find(b"\n", skipped)
            line = start[skipped:end].strip()
            if line.lower().startswith(b"sep=") and len(line) == 5:
                self.delimiter = chr(line[4])
            elif line:
                break
            if end == len(start) - 1:
                raise UnreadableFile("o arquivo está vazio: nem cabeçalho tem")
            skipped, lines = end + 1, lines + 1
        choices = (self.delimiter,) if self.delimiter else DELIMITERS
        headers = [(d, *self._header(start, skipped, d)) for d in choices]
        best = max(headers, key=lambda h: (score(h[1]), len(h[1])))
        self.delimiter, self.header, self._start = best
        self._first_line = lines + 1 + start.count(b"\n", skipped, self._start)
        self.types = ["VARCHAR"] * len(self.header)
        self._mixed = False

    def _header(self, start: bytes, position: int, delimiter: str) -> tuple[list[str], int]:
        fields, after = csv_records.read_record(start, position, delimiter.encode())
        if fields is None:
            raise UnreadableFile("o cabeçalho tem aspas abertas e não fechadas: confira a primeira linha")
        return [self._decode(f, 1) for f in fields], after

    def _decode(self, raw: bytes, line: int) -> str:
        try:
            return raw.decode("utf-8" if self._utf8 else "cp1252")
        except UnicodeDecodeError as error:
            wrong = line + raw.count(b"\n", 0, error.start)
            raise UnreadableFile(
                f"perto da linha {wrong} há um byte (0x{raw[error.start]:02X}) que não existe em UTF-8 nem em "
                "Windows-1252: exporte o arquivo de novo em UTF-8"
            ) from None

    def batches(self, positions: list[int]) -> Iterator[Batch]:
        """The rows from the first after the header, a block of the file at a time."""
        delimiter = ord(self.delimiter or ";")
        rest, line, final = b"", self._first_line, False
        with self._path.open("rb") as file:
            file.seek(self._start)
            while not final:
                read = file.read(BLOCK)
                final = len(read) < BLOCK
                block = rest + read
                if not block:
                    break
                records = csv_records.cut(block, delimiter, len(self.header), line, final)
                rest = block[records.consumed :]
                if len(rest) > 2 * BLOCK:
                    raise UnreadableFile(f"a linha {line} não termina: o arquivo não parece um CSV")
                if len(records.lines) or records.broken or records.blank:
                    yield self._batch(records, line, positions)
                line += records.consumed_lines

    def _batch(self, records: Records, line: int, positions: list[int]) -> Batch:
        delimiter, columns = ord(self.delimiter or ";"), len(self.header)
        clean = self._utf8_bytes(records.clean, records.lines)
        table = _parse(clean, delimiter, columns, positions) if len(records.lines) else None
        if table is None and len(records.lines):
            even = csv_records.split_ragged(clean, records.lines, delimiter, columns)
            if even is None:
                records = csv_records.cut_by_line(clean, bytes([delimiter]), columns, line, final=True)
                clean = records.clean
            else:
                records.broken += even.broken
                records.blank += even.blank
                records.lines, clean = even.lines, even.clean
            if len(records.lines):
                table = _parse(clean, delimiter, columns, positions)
                if table is None:
                    raise UnreadableFile(f"não foi possível separar os campos a partir da linha {line}")
        if table is not None:
            if table.num_rows != len(records.lines):
                raise UnreadableFile(
                    f"contagem de linhas não confere a partir da linha {int(records.lines[0])}: "
                    f"{table.num_rows} lidas, {len(records.lines)} no arquivo"
                )
            table = table.append_column("linha", pa.array(records.lines, pa.int64()))
        return Batch(table=table, broken=records.broken, blank=records.blank)

    def _utf8_bytes(self, clean: bytes, lines: np.ndarray) -> bytes:
        if self._utf8 or clean.isascii():
            return clean
        if not self._mixed and _looks_mixed(clean):
            self._mixed = True
            self.warnings.append(
                "o arquivo mistura UTF-8 e Windows-1252 e foi lido como Windows-1252: há acentos trocados; "
                "exporte-o de novo em UTF-8"
            )
        first = int(lines[0]) if len(lines) else self._first_line
        return self._decode(clean, first).encode()


def _looks_mixed(raw: bytes) -> bool:
    """Whether Windows-1252 text holds pairs that are accented letters in UTF-8 and nonsense otherwise."""
    data = np.frombuffer(raw, np.uint8)
    leads = np.flatnonzero(data[:-1] == 0xC3)
    return bool(len(leads) and ((data[leads + 1] >= 0x80) & (data[leads + 1] < 0xC0)).any())


def _parse(clean: bytes, delimiter: int, columns: int, positions: list[int]) -> pa.Table | None:
    """The columns at `positions` as text; None when some record has another number of fields."""
    ragged = False

    def on_ragged(row: object) -> str:
        nonlocal ragged
        ragged = True
        return "skip"

    names = [f"c{i}" for i in range(columns)]
    wanted = [names[i] for i in positions]
    for block in (1 << 22, max(1 << 22, len(clean) + 1)):
        try:
            table = arrow_csv.read_csv(
                pa.BufferReader(clean),
                read_options=arrow_csv.ReadOptions(column_names=names, block_size=block),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=chr(delimiter), newlines_in_values=b'"' in clean, invalid_row_handler=on_ragged
                ),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), include_columns=wanted, strings_can_be_null=False
                ),
            )
            return None if ragged else table
        except pa.ArrowInvalid:
            if ragged:
                return None
            if block > len(clean):
                raise
    return None
