"""relatorio.html of a night that failed before it had figures: it says so, and why, in the earlier page's place."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from reports.formats import mask_cpfs
from reports.relatorio import NAME, environment
from reports.resumo import Resumo


def write_failure(resumo: Resumo, out: Path, comando: str) -> Path:
    """Write the failure page into ``out`` and return its path; ``comando`` runs the night again.

    An earlier night's page never stays where it could be taken for this one's: if the new page can't be
    written, the earlier one is removed. Raises OSError when it can't be written.
    """
    path, temporary = out / NAME, out / f".{NAME}.{os.getpid()}.tmp"
    page = environment().get_template("relatorio_falha.html.j2")
    try:
        out.mkdir(parents=True, exist_ok=True)
        html = page.render(
            as_of=resumo.as_of,
            simulacao=resumo.simulacao,
            erros=[mask_cpfs(e) for e in resumo.erros],
            avisos=[mask_cpfs(a) for a in resumo.avisos],
            etapas=resumo.etapas,
            registrada=bool(resumo.verificacoes),
            extracts=resumo.extracts,
            comando=comando,
        )
        temporary.write_text(html, encoding="utf-8")
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return path
