"""The steps of a night, in order. Plain functions: each does one thing and returns the rows it saw.

Each room does its own work; nothing here knows a rule, a table's columns or a template.
"""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from flows.noite import Call, Noite, OnStep, Passo, RunRequest, raw_store_path, run_plain, run_steps
from flows.registro import build_record, close_record
from reports.formats import count_br, date_br
from reports.resumo import Resumo, read_checks, read_example, read_gate_warnings, read_loads, read_overrides

if TYPE_CHECKING:
    from datetime import date

    from checks.extracts.ingest import IngestRequest

VERIFICACOES_NOMEADAS = 6


def run_nightly(request: RunRequest, on_step: OnStep | None = None, call: Call = run_plain) -> Resumo:
    """Run the whole night; the exit code and every figure are in the summary.

    `on_step` hears each start and end. `call` runs one step: the flow hands in one that makes it a task.
    """
    return run_steps(request, PASSOS, on_step, call, _close)


def _close(noite: Noite) -> None:
    """The last word: in the warehouse, and for a night without its report a page that says it failed."""
    try:
        close_record(noite)
    finally:
        if noite.resumo.erros and not any(e.nome == "relatorio" and not e.erro for e in noite.resumo.etapas):
            _leave_failure_page(noite)


def _leave_failure_page(noite: Noite) -> None:
    from reports.relatorio_falha import write_failure

    try:
        pagina = str(write_failure(noite.resumo, noite.request.destino, noite.request.comando))
    except OSError as erro:
        noite.falhar(f"relatorio.html da falha não pôde ser escrito: {erro.strerror or erro}")
        return
    if pagina not in noite.resumo.saidas:
        noite.resumo.saidas.insert(0, pagina)


def abrir(noite: Noite) -> int | None:
    """Open the warehouse, or for a simulation a copy of it."""
    from checks.warehouse.gate import warm_up
    from sql.facts import load_macros
    from sql.warehouse import open_warehouse

    warm_up()  # the gate's library takes seconds to import: meanwhile, the extracts are read
    if noite.request.dry_run:
        noite.warehouse = _copy_for_simulation(noite.request)
        noite.resumo.banco_simulado = str(noite.warehouse)
    settings = noite.request.settings
    noite.con = open_warehouse(noite.warehouse, settings.memoria, settings.threads)
    load_macros(noite.con)
    return None


def _copy_for_simulation(request: RunRequest) -> Path:
    copia = request.destino / request.warehouse.name
    copia.parent.mkdir(parents=True, exist_ok=True)
    for sufixo in ("", ".wal"):
        de, para = Path(f"{request.warehouse}{sufixo}"), Path(f"{copia}{sufixo}")
        para.unlink(missing_ok=True)
        if de.exists():
            shutil.copyfile(de, para)
    return copia


def normas(noite: Noite) -> int:
    """Load checks and norms, with the municipality's overrides; write what is in force on the date."""
    from checks.law.catalogue import load_catalogue
    from checks.law.parameters import check_fingerprints, parameter_rows
    from data.loader import load_norms
    from data.tables import register_norms

    catalogo = load_catalogue()
    lidas = load_norms(noite.request.settings.norm_roots(), noite.request.overrides, catalogo)
    register_norms(noite.db, lidas, noite.request.as_of)
    noite.catalogo, noite.normas = catalogo, lidas
    noite.parametros = parameter_rows(lidas, catalogo, noite.request.as_of)
    noite.impressoes = check_fingerprints(noite.parametros, catalogo, lidas, noite.request.as_of)
    if noite.request.dry_run:
        noite.resumo.ajustes = read_overrides(noite.db)
    return len(lidas)


def ingerir(noite: Noite) -> int:
    """Read the folder into `extrato.*`; what can't be trusted stays out, with its reason."""
    from checks.extracts.ingest import ingest

    noite.ingestao = ingest(noite.db, _ingest_request(noite))
    _remark_loads(noite)
    return sum(c.lidas for c in noite.ingestao.cargas)


def _ingest_request(noite: Noite) -> IngestRequest:
    from checks.extracts.ingest import IngestRequest, Limits, RawStore

    request = noite.request
    return IngestRequest(
        folder=request.extracts,
        as_of=request.as_of,
        # A simulation reads the real store: a refused extract falls back to the same file.
        store=RawStore(raw_store_path(request.warehouse)),
        # How far an extract may shrink is the gate's question, asked once.
        limits=Limits(request.settings.max_rejeitos, request.settings.min_rejeitos, Decimal(1)),
        normas=frozenset(n.id for n in noite.normas),
        on_file=lambda carga: noite.detalhar(carga.arquivo or carga.extrato),
    )


def _remark_loads(noite: Noite) -> None:
    from checks.extracts.contracts import contracts
    from checks.extracts.files import suggestion

    assert noite.ingestao is not None
    for carga in noite.ingestao.cargas:
        if carga.colunas_desconhecidas:
            colunas = ", ".join(carga.colunas_desconhecidas)
            noite.avisar(f"{carga.arquivo}: colunas desconhecidas, não lidas: {colunas}")
        if not carga.balances:
            noite.falhar(f"{carga.arquivo}: a conta das linhas não fecha")
    for nome in noite.ingestao.arquivos_sem_extrato:
        noite.avisar(f"{nome}: o nome não corresponde a nenhum extrato; não foi lido; {suggestion(nome, contracts())}")


def portao(noite: Noite) -> int:
    """Ask whether tonight's load can be trusted; a refused extract falls back to the last good one."""
    from checks.extracts.ingest import fall_back
    from checks.warehouse.gate import run_gate

    resultado = run_gate(noite.db, noite.request.as_of, noite.request.settings.portao)
    for extrato, motivo in resultado.recusados.items():
        noite.ingestao = fall_back(noite.db, _ingest_request(noite), extrato, motivo)
    sumidos = _gone(noite)
    noite.resumo.cargas = read_loads(noite.db, sumidos)
    noite.resumo.conferencia = read_gate_warnings(noite.db)
    noite.resumo.avisos[:0] = [f"{extrato} {motivo}" for extrato, (_, motivo) in sumidos.items()]
    for erro in resultado.erros:
        noite.falhar(erro)
    for carga in noite.resumo.cargas:
        if carga.situacao == "recusado":
            noite.avisar(f"{carga.arquivo} recusado: {carga.motivo}")
    return len(resultado.rows)


def _gone(noite: Noite) -> dict[str, tuple[date, str]]:
    """Extracts that came on an earlier night and not tonight: the date they last came on, and what it means."""
    from checks.warehouse.gate import load_previous

    assert noite.ingestao is not None
    ausentes = [c.extrato for c in noite.ingestao.cargas if c.situacao == "ausente"]
    anterior = load_previous(noite.db, noite.request.as_of) if ausentes else {}
    return {
        e: (anterior[e].as_of, f"não veio hoje; veio em {date_br(anterior[e].as_of)}; {_unjudged(noite, e)}")
        for e in ausentes
        if e in anterior
    }


def _unjudged(noite: Noite, extrato: str) -> str:
    """Which checks of the norms in force can't be made without the extract."""
    sem = sorted(
        nome
        for nome, check in noite.catalogo.items()
        if noite.parametros.get(nome) and any(e.split(".")[0] == extrato for e in check.exige)
    )
    if not sem:
        return "o que depende dele não foi visto"
    resto = len(sem) - VERIFICACOES_NOMEADAS
    nomes = ", ".join(sem[:VERIFICACOES_NOMEADAS]) + (f" e mais {resto}" if resto > 0 else "")
    return (
        f"a verificação {nomes} fica sem avaliação" if len(sem) == 1 else f"as verificações {nomes} ficam sem avaliação"
    )


def registro(noite: Noite) -> int:
    """The legal calendar and the registry as it stood on the date."""
    from sql.calendar import build_calendar
    from sql.facts import build_registry

    build_calendar(noite.db, noite.request.as_of)
    noite.partes += build_registry(noite.db, noite.request.as_of)
    return _count(noite, "registro")


def fatos(noite: Noite) -> int:
    """The facts the checks read: terms, age limits, where each auto stands, points."""
    from sql.facts import build_facts
    from sql.points import build_points

    noite.partes += build_facts(noite.db, noite.request.as_of)
    noite.partes += build_points(noite.db, noite.request.as_of)
    return _count(noite, "fatos", "autos")


def _count(noite: Noite, schema: str, table: str = "%") -> int:
    """Rows of the tables of a schema, from the catalogue."""
    linhas = noite.db.execute(
        "select coalesce(sum(estimated_size), 0)::bigint from duckdb_tables()"
        " where schema_name = $s and table_name like $t",
        {"s": schema, "t": table},
    ).fetchall()
    return int(linhas[0][0])


def verificacoes(noite: Noite) -> int:
    """Run the checks. One that crashes makes the night a failure; the others go on."""
    from checks.law.engine import run_checks
    from sql.layers import Step

    resultados = run_checks(noite.db, noite.catalogo, noite.parametros, noite.request.as_of)
    segundos: dict[str, float] = {}
    for r in resultados:
        segundos[r.verificacao] = segundos.get(r.verificacao, 0.0) + r.segundos
    noite.partes += [Step(nome, s) for nome, s in segundos.items()]
    for nome in sorted({r.verificacao for r in resultados if r.situacao == "falhou"}):
        noite.falhar(f"a verificação {nome} falhou: suas normas ficaram sem avaliação; veja o relatório")
    return sum(r.achados for r in resultados)


def ledger(noite: Noite) -> int:
    """Apply the dispensas, then write the night into the ledger; from here on it has figures."""
    from checks.law.reads import kindred, readings
    from sql.acts import record_acts
    from sql.cautions import record_cautions
    from sql.ledger import apply_dispensas, record_run

    dispensas = apply_dispensas(noite.db, noite.request.as_of)
    if dispensas.sem_achado:
        quantas = count_br(len(dispensas.sem_achado), "dispensa em vigor não cobre", "dispensas em vigor não cobrem")
        noite.avisar(f"{quantas} achado nenhum")
    registrado = record_run(noite.db, build_record(noite))
    leituras = readings(noite.catalogo, noite.normas, noite.request.as_of)
    noite.resumo.ressalvas = record_cautions(
        noite.db, registrado.execucao_id, noite.request.as_of, leituras, kindred(noite.catalogo)
    )
    record_acts(noite.db, registrado.execucao_id, noite.request.as_of)
    noite.registrada = True
    noite.resumo.verificacoes = read_checks(noite.db)
    noite.resumo.exemplo = read_example(noite.db)
    # What readers of the published copy will find: the figures are known only now.
    close_record(noite)
    return registrado.achados


def publicar(noite: Noite) -> int:
    """Write achados and the other files into --out, and the copy of the warehouse that readers open."""
    from reports.publish import publish
    from reports.snapshot import publish_snapshot

    assert noite.resumo.execucao_id is not None
    arquivos = publish(noite.db, noite.resumo.execucao_id, noite.request.destino)
    noite.resumo.saidas += [str(a.path) for a in arquivos]
    if not noite.request.dry_run:
        noite.resumo.saidas.append(str(publish_snapshot(noite.db, noite.warehouse)))
    return sum(a.rows for a in arquivos)


def relatorio(noite: Noite) -> None:
    """relatorio.html in --out: the same figures, with the gate's answers."""
    from reports.relatorio import write_report

    resumo = noite.resumo
    assert resumo.execucao_id is not None
    pagina = write_report(noite.db, resumo.execucao_id, noite.request.destino, resumo)
    resumo.saidas.insert(0, str(pagina))


PASSOS = (
    Passo("abrir", "Abrir o banco", abrir, io=True),
    Passo("normas", "Carregar as normas", normas, unidade="normas"),
    Passo("ingerir", "Ler os extratos", ingerir, io=True),
    Passo("portao", "Conferir a carga", portao, unidade="perguntas"),
    Passo("registro", "Calendário e cadastro na data", registro),
    Passo("fatos", "Apurar os fatos", fatos),
    Passo("verificacoes", "Aplicar as normas", verificacoes, unidade="achados"),
    Passo("ledger", "Comparar com as noites anteriores", ledger, unidade="achados"),
    Passo("publicar", "Publicar os achados", publicar, io=True, vital=False),
    Passo("relatorio", "Escrever o relatório", relatorio, io=True, vital=False),
)
