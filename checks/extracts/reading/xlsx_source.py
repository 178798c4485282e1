"""Excel workbooks, every cell as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from checks.extracts.model import UnreadableFile
from checks.extracts.reading.source import Batch

# What a cell with a formula error (#REF!, #DIV/0!) says: it is not empty, and nothing can be read in it.
FORMULA_ERROR = "#ERRO"


def _with_errors(column: pa.ChunkedArray, rows: list[int]) -> pa.ChunkedArray:
    mask = np.zeros(len(column), bool)
    mask[rows] = True
    return pc.if_else(pa.array(mask), FORMULA_ERROR, column)


class XlsxSource:
    """The sheet called like the extract, else the first; formula cells give their last computed value.

    Lines are the sheet's own row numbers.
    """

    encoding: str | None = None
    delimiter: str | None = None
    excel = True

    def __init__(self, path: Path, extract: str) -> None:
        """Read the sheet whole; UnreadableFile when the workbook cannot be opened or has no header."""
        import fastexcel

        try:
            book = fastexcel.read_excel(path)
            names = [name for name in book.sheet_names if name.strip().lower() == extract]
            sheet = book.load_sheet(
                names[0] if names else 0, dtypes="string", header_row=None, skip_rows=0, schema_sample_rows=1
            )
            batch, errors = sheet.to_arrow_with_errors()
        except Exception as error:  # whatever the reader raises on a damaged workbook
            raise UnreadableFile(
                f"a planilha não pôde ser aberta ({type(error).__name__}): abra-a no Excel e salve de novo como .xlsx"
            ) from None
        table = pa.Table.from_batches([batch])
        texts = [pc.fill_null(column.cast(pa.string()), "") for column in table.columns]
        broken: dict[int, list[int]] = {}
        for cell in errors.errors if errors else []:
            row, position = cell.offset_position
            broken.setdefault(position, []).append(row)
        for position, rows in broken.items():
            texts[position] = _with_errors(texts[position], rows)
        self.warnings: list[str] = []
        if len(book.sheet_names) > 1:
            self.warnings.append(f"planilha com {len(book.sheet_names)} abas: só «{sheet.name}» foi lida")
        top = 0
        while top < table.num_rows and not any(text[top].as_py().strip() for text in texts):
            top += 1
        if top == table.num_rows:
            raise UnreadableFile("a planilha está vazia: nem cabeçalho tem")
        self.header = [text[top].as_py() for text in texts]
        self.types = ["VARCHAR"] * len(texts)
        self._columns = [text.slice(top + 1) for text in texts]
        self._first_line = top + 2

    def batches(self, positions: list[int]) -> Iterator[Batch]:
        """The rows below the header, in one batch; rows without any cell filled are blank."""
        height = len(self._columns[0])
        if not height:
            return
        lines = pa.array(range(self._first_line, self._first_line + height), pa.int64())
        filled = pc.not_equal(self._columns[0], "")
        for column in self._columns[1:]:
            filled = pc.or_(filled, pc.not_equal(column, ""))
        table = pa.table([*(self._columns[i] for i in positions), lines], [*(f"c{i}" for i in positions), "linha"])
        table = table.filter(filled)
        yield Batch(table=table, blank=height - table.num_rows)
