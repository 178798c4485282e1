"""Time and peak memory of a step, for the run record."""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class Medida:
    """`with Medida() as m:` leaves `m.segundos` and `m.pico_mb`, the process's peak resident memory.

    On Linux the peak is reset at the start; elsewhere it is the peak since the process began.
    """

    segundos: float = 0.0
    pico_mb: float = 0.0

    def __enter__(self) -> Medida:
        with contextlib.suppress(OSError):
            _CLEAR.write_text("5")  # resets VmHWM
        self._inicio = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.segundos = time.perf_counter() - self._inicio
        self.pico_mb = _peak_mb()


def _peak_mb() -> float:
    try:
        for linha in _STATUS.read_text().splitlines():
            if linha.startswith("VmHWM:"):
                return int(linha.split()[1]) / 1024
    except OSError:
        pass
    maxrss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
