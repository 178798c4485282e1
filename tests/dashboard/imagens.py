"""docs/imagens taken again from the example: `python -m tests.dashboard.imagens BANCO` after `emdia demo`."""

from __future__ import annotations

import sys
from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
from playwright.sync_api import sync_playwright

from dashboard.app import build_app
from dashboard.config import Painel, PainelSettings
from sql.warehouse import published_path
from tests.dashboard.provider import serve
from tests.dashboard.test_browser import ARGS, CHROMIUM

PASTA = Path(__file__).parents[2] / "docs" / "imagens"
#: A case worth seeing: points, one of them doubled, and an earlier process.
CASO = """
select achado_id from achados a
where verificacao = 'pontos_cassacao' and situacao = 'violacao' and evidencia like '%"dobrado":true%'
  and permissionario_id in (select permissionario_id from processos where ato = 'cassacao')
order by achado_id limit 1
"""


def take(banco: Path, pasta: Path = PASTA) -> list[Path]:
    """The first page, and a case from its timeline on, as seen on the morning of the last night."""
    copia = published_path(banco)
    with duckdb.connect(str(copia), read_only=True) as con:
        as_of, caso = con.execute(f"select s.as_of, ({CASO}) from schema_versao s").fetchall()[0]
    manha = datetime.combine(as_of, time(8), ZoneInfo("America/Bahia"))
    painel = Painel(copia, PainelSettings(), lambda: manha, "Município de exemplo")
    feitas = [pasta / "dashboard-manha.png", pasta / "dashboard-caso.png"]
    with serve(build_app(painel)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_page(viewport={"width": 1120, "height": 760})
        page.goto(url)
        page.screenshot(path=feitas[0])
        page.goto(f"{url}/caso/{caso}")
        page.set_viewport_size({"width": 1120, "height": 900})
        page.evaluate("document.querySelector('[aria-labelledby=s-linha]').scrollIntoView({block: 'center'})")
        page.screenshot(path=feitas[1])
        browser.close()
    return feitas


if __name__ == "__main__":
    for feita in take(Path(sys.argv[1])):
        print(feita)
