"""docs/amostras made again from the example: `python -m tests.notices.compose.amostras BANCO` after `emdia demo`.

Of each kind and norm, the message that shows most kinds of thing in fewest words; always the same for the same night.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from checks.law.catalogue import load_catalogue
from data.loader import load_norms
from flows.settings import load_settings
from notices.compose import immediate_messages, weekly_messages
from notices.delivery.reading import night
from notices.escalate import escalation_messages
from notices.model import Mensagem
from sql.warehouse import read_warehouse

PASTA = Path(__file__).parents[3] / "docs" / "amostras"
ORGAO = "Secretário da SEOSP ou delegado"


def telling(messages: Iterable[Mensagem], norma: str) -> Mensagem:
    """The message of a norm that says most in least."""
    return min(
        (m for m in messages if m.normas == (norma,)),
        key=lambda m: (-len({i.situacao for i in m.itens}), len(m.itens), m.chave),
    )


def write_samples(banco: Path, pasta: Path = PASTA) -> list[Path]:
    """Write the samples of the last night of a warehouse into `pasta`, in the place of the old ones."""
    settings = load_settings()
    normas = load_norms(catalogue=load_catalogue())
    with read_warehouse(banco) as con:
        dia = night(con, None)
        semanais = [*weekly_messages(con, dia, settings.avisos, normas)]
        imediato = telling(immediate_messages(con, dia, settings.avisos, normas), "825/2021")
        listas = [*escalation_messages(con, dia, settings.escalada, normas)]
    lista = next(m for m in listas if m.normas == ("825/2021",) and m.destinatario_nome == ORGAO)
    sitiac, onibus = telling(semanais, "825/2021"), telling(semanais, "408/2009")
    agenda = next(a for a in sitiac.anexos if a.tipo_mime == "text/calendar")
    files = {
        "semanal-825.html": sitiac.html.encode(),
        "semanal-825.txt": sitiac.texto.encode(),
        "semanal-825-prazos.ics": agenda.conteudo,
        "semanal-408.html": onibus.html.encode(),
        "imediato-825.html": imediato.html.encode(),
        "escalada-825.html": lista.html.encode(),
    }
    pasta.mkdir(parents=True, exist_ok=True)
    for old in pasta.iterdir():
        old.unlink()
    for name, content in files.items():
        (pasta / name).write_bytes(content)
    return [pasta / name for name in files]


if __name__ == "__main__":
    for path in write_samples(Path(sys.argv[1])):
        print(path)
