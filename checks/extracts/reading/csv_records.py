"""Where each CSV record starts and ends, on the raw bytes.

The common block (no quotes, or quotes where the rule has them) is cut with array operations. A block with a stray
quote, a lone carriage return or a quoted field that never closes goes line by line: one bad quote costs one row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from checks.extracts.reading.source import BrokenRow

QUOTE, NEWLINE, RETURN = 34, 10, 13
# A quoted field longer than this is taken for a quote that was never closed.
MAX_QUOTED = 1 << 20

UNCLOSED = "aspas abertas e não fechadas: confira as aspas desta linha no sistema de origem"


@dataclass
class Records:
    """Whole records cut from the front of a block: `clean` bytes of well-formed records and each one's line."""

    clean: bytes
    lines: np.ndarray
    broken: list[BrokenRow] = field(default_factory=list)
    blank: int = 0
    consumed: int = 0
    consumed_lines: int = 0


def cut(block: bytes, delimiter: int, columns: int, first_line: int, final: bool) -> Records:
    """Cut the whole records at the front of `block`; `final` when nothing follows it.

    `columns` is the number of fields a record must have (checked where quoted fields span lines, and line by line;
    `split_ragged` checks the rest). Lines are counted from `first_line`, one for each line feed.
    """
    if final and not block.endswith(b"\n"):
        block += b"\n"
    lone_returns = block.count(b"\r") != block.count(b"\r\n")
    if not lone_returns:
        found = _cut_plain(block, first_line) if b'"' not in block else _cut_quoted(block, delimiter, first_line, final)
        if found is not None:
            return found
    return cut_by_line(block, bytes([delimiter]), columns, first_line, final)


def _cut_plain(block: bytes, first_line: int) -> Records:
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == NEWLINE)
    if not len(ends):
        return Records(b"", np.empty(0, np.int64))
    consumed = int(ends[-1]) + 1
    lines = np.arange(first_line, first_line + len(ends), dtype=np.int64)
    return _without_blanks(block[:consumed] if consumed < len(block) else block, ends, lines, len(ends))


def _cut_quoted(block: bytes, delimiter: int, first_line: int, final: bool) -> Records | None:
    data = np.frombuffer(block, np.uint8)
    quotes = np.flatnonzero(data == QUOTE)
    newlines = np.flatnonzero(data == NEWLINE)
    # A line feed with an odd number of quotes before it is inside a quoted field.
    ends = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
    consumed = int(ends[-1]) + 1 if len(ends) else 0
    if len(block) - consumed > (0 if final else MAX_QUOTED):
        return None
    quotes = quotes[: np.searchsorted(quotes, consumed)]
    if len(quotes):
        opens, closes = quotes[0::2], quotes[1::2]
        before = data[np.maximum(opens - 1, 0)]
        after = data[closes + 1]
        good_open = (opens == 0) | (before == delimiter) | (before == NEWLINE) | (before == QUOTE)
        good_close = (after == delimiter) | (after == NEWLINE) | (after == RETURN) | (after == QUOTE)
        if not (good_open.all() and good_close.all()):
            return None
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    lines = (first_line + np.searchsorted(newlines, starts)).astype(np.int64)
    consumed_lines = int(np.searchsorted(newlines, consumed))
    return _without_blanks(block[:consumed], ends, lines, consumed_lines)


def _without_blanks(block: bytes, ends: np.ndarray, lines: np.ndarray, consumed_lines: int) -> Records:
    data = np.frombuffer(block, np.uint8)
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    lengths = ends - starts
    blank = (lengths == 0) | ((lengths == 1) & (data[starts] == RETURN)) if len(ends) else np.empty(0, bool)
    return Records(block, lines[~blank], [], int(blank.sum()), len(block), consumed_lines)


def split_ragged(clean: bytes, lines: np.ndarray, delimiter: int, columns: int) -> Records | None:
    """Take the records without exactly `columns` fields out of `clean`.

    None where such a record spans lines: its quotes are to be looked at line by line.
    """
    data = np.frombuffer(clean, np.uint8)
    newlines = np.flatnonzero(data == NEWLINE)
    delimiters = np.flatnonzero(data == delimiter)
    if b'"' in clean:
        quotes = np.flatnonzero(data == QUOTE)
        delimiters = delimiters[np.searchsorted(quotes, delimiters) % 2 == 0]
        ends = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
    else:
        ends = newlines
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts
    keep = ~((lengths == 0) | ((lengths == 1) & (data[starts] == RETURN)))
    starts, ends = starts[keep], ends[keep]
    fields = np.searchsorted(delimiters, ends) - np.searchsorted(delimiters, starts) + 1
    bad = np.flatnonzero(fields != columns)
    broken, blank = [], 0
    mask = np.ones(len(clean), bool)
    for i in bad.tolist():
        raw = clean[starts[i] : ends[i]]
        mask[starts[i] : ends[i] + 1] = False
        if b"\n" in raw:
            return None
        if not raw.strip():
            blank += 1
            continue
        broken.append(ragged(int(lines[i]), raw, int(fields[i]), columns))
    return Records(data[mask].tobytes(), lines[fields == columns], broken, blank)


def ragged(line: int, raw: bytes, fields: int, columns: int) -> BrokenRow:
    """The row of a record with another number of fields than the header."""
    motivo = f"linha com {fields} campo(s), mas o cabeçalho tem {columns}: confira delimitadores e aspas"
    return BrokenRow(line, show(raw), motivo, short=2 * fields < columns)


def show(raw: bytes) -> str:
    """A row's bytes as text to be shown, cut at 500 characters."""
    try:
        return raw.decode("utf-8").strip("\r\n")[:500]
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace").strip("\r\n")[:500]


def cut_by_line(block: bytes, delimiter: bytes, columns: int, first_line: int, final: bool) -> Records:
    """Cut records one line at a time: for the blocks with broken quotes or records of another width."""
    out: list[bytes] = []
    lines: list[int] = []
    broken: list[BrokenRow] = []
    blank, position, line = 0, 0, first_line
    while position < len(block):
        end = block.find(b"\n", position)
        if end < 0:
            break
        raw = block[position:end].removesuffix(b"\r")
        if b'"' not in raw and b"\r" not in raw:
            fields_here = raw.count(delimiter) + 1
            if fields_here == columns and (raw.strip() or columns > 1):
                out.append(raw)
                lines.append(line)
            elif raw.strip():
                broken.append(ragged(line, raw, fields_here, columns))
            else:
                blank += 1
            position, line = end + 1, line + 1
            continue
        fields, after = read_record(block, position, delimiter)
        if fields is None and after < 0 and not final:
            break  # the quoted field goes on in the next block
        spans = block.count(b"\n", position, after) if fields is not None else 0
        if fields is not None and (spans <= 1 or len(fields) == columns):
            if len(fields) == columns:
                out.append(delimiter.join(_quoted(f, delimiter) for f in fields))
                lines.append(line)
            else:
                broken.append(ragged(line, raw, len(fields), columns))
            position, line = after, line + spans
            continue
        broken.append(BrokenRow(line, show(raw), UNCLOSED))
        position, line = end + 1, line + 1
    clean = b"\n".join(out) + b"\n" if out else b""
    return Records(clean, np.array(lines, np.int64), broken, blank, position, line - first_line)


def read_record(block: bytes, position: int, delimiter: bytes) -> tuple[list[bytes] | None, int]:
    """The fields of the record at `position` and where the next starts.

    (None, -1): the record has no end in the block. (None, 0): a quote is broken. A quote inside an unquoted field
    is a character like any other; one that opens a field, closes and is followed by text is literal if on one line.
    """
    fields: list[bytes] = []
    while True:
        start = position
        while block[position : position + 1] in (b" ", b"\t") and block[position : position + 1] != delimiter:
            position += 1
        if block[position : position + 1] == b'"':
            close = _closing_quote(block, position + 1)
            if close < 0:
                return _unfinished(block, position)
            after = close + 1
            while block[after : after + 1] in (b" ", b"\t") and block[after : after + 1] != delimiter:
                after += 1
            ending = block[after : after + 1]
            if ending == b"\r" and block[after : after + 2] == b"\r\n":
                after, ending = after + 1, b"\n"
            if not ending or (ending == b"\r" and after + 1 == len(block)):
                return _unfinished(block, position)
            if ending in (delimiter, b"\n"):
                fields.append(block[position + 1 : close].replace(b'""', b'"'))
                position = after + 1
                if ending == delimiter:
                    continue
                return fields, position
            if b"\n" in block[position:close]:
                return None, 0
        end = block.find(b"\n", start)
        if end < 0:
            return _unfinished(block, start)
        cut_at = block.find(delimiter, start, end)
        if cut_at >= 0:
            fields.append(block[start:cut_at])
            position = cut_at + 1
            continue
        fields.append(block[start:end].removesuffix(b"\r"))
        return fields, end + 1


def _unfinished(block: bytes, position: int) -> tuple[None, int]:
    return None, -1 if len(block) - position < MAX_QUOTED else 0


def _closing_quote(block: bytes, position: int) -> int:
    limit = position + MAX_QUOTED
    while True:
        found = block.find(b'"', position, limit)
        if found < 0 or block[found + 1 : found + 2] != b'"':
            return found
        position = found + 2


def _quoted(value: bytes, delimiter: bytes) -> bytes:
    if any(special in value for special in (b'"', b"\n", b"\r", delimiter)):
        return b'"' + value.replace(b'"', b'""') + b'"'
    return value
