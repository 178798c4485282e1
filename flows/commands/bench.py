"""`emdia bench`: what a night costs at a given size, against yardsticks and peers."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from flows.bench.texto import Bancada
    from flows.progresso import Progresso
    from flows.settings import Settings

PASTA = Path("var/bench")


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(bench)


def bench(
    *,
    scale: Annotated[
        Literal["S", "M", "L"],
        Parameter(help="S: 10 mil permissionários e 100 mil autos; M: 100 mil e 2 milhões; L: 1 milhão e 20 milhões."),
    ] = "S",
    peers: Annotated[
        bool,
        Parameter(negative=(), help="Refaz a família de pontos em pandas, polars e SQLite e confere as respostas."),
    ] = False,
    formato: Annotated[
        Literal["csv", "parquet"] | None,
        Parameter(help="Formato dos extratos. Sem ele, csv em S e M, parquet em L."),
    ] = None,
    pasta: Annotated[
        Path, Parameter(name="--dir", help="Onde ficam os extratos gerados e o banco da medição.")
    ] = PASTA,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve as medidas em JSON na saída padrão.")
    ] = False,
) -> int:
    """Gera extratos sintéticos, executa a noite sobre eles e mede cada etapa e cada verificação.

    As metas são razões contra o que o próprio banco leva para ordenar os autos, na mesma execução.
    Sai com 1 se uma meta não é cumprida ou se um par discorda.
    """
    from flows.bench.texto import render
    from flows.progresso import Progresso
    from flows.settings import load_settings

    with Progresso(sys.stderr) as progresso:
        bancada = _measure(scale, formato, pasta, peers, load_settings(config), progresso)
    if as_json:
        print(json.dumps(bancada.as_dict(), ensure_ascii=False, indent=2, default=str))
    else:
        print("\n".join(render(bancada)))
    return 1 if bancada.falhas else 0


def _measure(
    scale: Literal["S", "M", "L"],
    formato: Literal["csv", "parquet"] | None,
    pasta: Path,
    peers: bool,
    settings: Settings,
    progresso: Progresso,
) -> Bancada:
    from data.bench.generate import AS_OF, SCALES, write_bench
    from flows.bench.metas import bars
    from flows.bench.noite import measure, run_bench_night
    from flows.bench.pares.comparar import compare
    from flows.bench.reguas import yardsticks
    from flows.bench.texto import Bancada
    from flows.erros import ErroConhecido
    from sql.facts import load_macros
    from sql.warehouse import open_warehouse

    progresso.say(f"gerando os extratos da escala {scale}")
    start = time.perf_counter()
    extracts = write_bench(pasta, scale, formato)
    generation = time.perf_counter() - start
    resumo, warehouse = run_bench_night(extracts, AS_OF, extracts.parent / "noite", settings, progresso)
    if resumo.codigo_saida:
        motivos = "; ".join([*resumo.erros, *(c.motivo for c in resumo.cargas if c.motivo)])
        raise ErroConhecido(f"a noite da bancada não terminou bem (código {resumo.codigo_saida}): {motivos}")
    con = open_warehouse(warehouse, settings.memoria, settings.threads)
    try:
        load_macros(con)
        progresso.say("medindo as réguas")
        rulers = yardsticks(con)
        progresso.say("comparando com os pares" if peers else "medindo as verificações, uma a uma")
        flagged, others = compare(con) if peers else (0, [])
        measured = measure(resumo, con, AS_OF)
    finally:
        con.close()
    return Bancada(
        escala=scale,
        formato=formato or SCALES[scale].formato,
        geracao=generation,
        medidas=measured,
        reguas=rulers,
        metas=bars(scale, measured, rulers),
        apontados=flagged,
        pares=others,
    )
