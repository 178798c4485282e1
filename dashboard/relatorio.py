"""The morning view as one file: no link to open, nothing fetched, fit for the mail or an intranet share."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from dashboard import manha, noite
from dashboard.config import GESTAO, PUBLICO, PainelSettings
from dashboard.copia import Copia
from dashboard.valores import morning_values
from dashboard.visao import STATIC, render


def write_morning(
    copia: Path, out: Path, agora: datetime, settings: PainelSettings, municipio: str, nomes: bool
) -> Path:
    """Write the file and return its path; it appears whole or not. `nomes` False: figures only, no personal data.

    Raises `CopyProblem`.
    """
    reader = Copia(copia, settings.memoria, settings.threads)
    with reader.read(120) as reading:
        view = manha.gather(reading)
        html = render(
            "manha.html.j2",
            {
                "arquivo": True,
                # Ours, not data: a browser reads no entities inside <style>.
                "estilo": Markup((STATIC / "painel.css").read_text(encoding="utf-8")),
                "municipio": municipio,
                "frescor": manha.freshness(reading, agora.date(), settings.tolerancia_dias),
                "execucao": reading.execucao,
                "versao": reading.versao,
                "nomes": nomes,
                "papel": GESTAO if nomes else PUBLICO,
                "login": "nenhum",
                **morning_values(reading, view, noite.norms(reading), None),
            },
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(html, encoding="utf-8")
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
    return out
