"""`emdia norms`: what the product knows of each norm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from rich.table import Table

    from data.coverage import Cobertura, Linha

app = App(name="norms", help="Mostra o que o programa sabe de cada norma.")

#: Columns where there is no terminal to ask.
LARGURA = 200
#: Words of a table's cells; the long form of each state closes the page.
CURTOS = {
    "verificado": "verificado",
    "parcial": "em parte",
    "fato": "fato",
    "parametro": "parâmetro",
    "pendente": "pendente",
    "nao_implementada": "a implementar",
    "pessoas": "pessoas",
    "sem_regra": "sem regra",
}
MUITOS = {"verificado": "verificados", "fato": "fatos", "parametro": "parâmetros", "pendente": "pendentes"}
CORES = {"verificado": "green", "parcial": "yellow", "pendente": "red", "nao_implementada": "red"}


@app.command
def coverage(
    *,
    norma: Annotated[str | None, Parameter(help="Só esta norma, por exemplo 825/2021.")] = None,
    resumo: Annotated[bool, Parameter(negative=(), help="Só as contagens de cada norma.")] = False,
    todos: Annotated[
        bool, Parameter(negative=(), help="Também os parágrafos, incisos e alíneas de cada artigo.")
    ] = False,
    obrigacoes: Annotated[
        bool, Parameter(negative=(), help="As obrigações que uma máquina poderia verificar, uma a uma.")
    ] = False,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Mostra, artigo por artigo, o que é verificado, o que fica com as pessoas e o que não tem regra.

    A conta é sobre a lei inteira, anexos incluídos. Termina com 2 se a norma pedida não existe.
    """
    from data.coverage import load_coverage
    from data.errors import NormError
    from flows.erros import ErroConhecido, ErroDeUso

    try:
        coberturas = load_coverage()
    except NormError as erro:
        raise ErroConhecido(str(erro)) from erro
    if norma is not None:
        conhecidas = ", ".join(c.norma for c in coberturas)
        coberturas = tuple(c for c in coberturas if c.norma == norma.strip())
        if not coberturas:
            raise ErroDeUso(f"norma {norma!r} não encontrada; existem: {conhecidas}")
    if as_json:
        import json

        print(json.dumps([as_dict(c) for c in coberturas], ensure_ascii=False, indent=2))
    else:
        tabelas = [] if resumo else [_obligations if obrigacoes else partial(_articles, todos=todos)]
        _show(coberturas, tabelas)
    return 0


def as_dict(cobertura: Cobertura) -> dict[str, Any]:
    """Everything about one norm, as `--json` writes it: counts, articles with their rows, obligations."""
    return {
        "norma": cobertura.norma,
        "nome": cobertura.nome,
        "contagens": cobertura.contagens,
        "artigos": [
            {"artigo": a.nome, "estado": a.estado, "dispositivos": [_line(linha) for linha in a.linhas]}
            for a in cobertura.artigos
        ],
        "obrigacoes": [_line(linha) for linha in cobertura.obrigacoes],
    }


def _line(linha: Linha) -> dict[str, Any]:
    campos: dict[str, Any] = {
        "dispositivo": linha.dispositivo,
        "assunto": linha.assunto,
        "regra": linha.regra,
        "situacao": linha.situacao,
        "estado": linha.estado,
        "verificacoes": list(linha.verificacoes),
        "faltam": dict(linha.faltam),
        "propostas": linha.propostas,
        "motivo": linha.motivo,
        "leitura": linha.leitura,
    }
    return {k: v for k, v in campos.items() if v or k in {"situacao", "estado", "verificacoes"}}


def _show(coberturas: tuple[Cobertura, ...], tabelas: Sequence[Callable[[Cobertura], Table]]) -> None:
    from rich.console import Console

    from data.coverage import SITUACOES

    console = Console()
    if not console.is_terminal:  # a pipe or a file has no width: names of checks must not be cut to fit one
        console = Console(width=LARGURA)
    for cobertura in coberturas:
        console.print(f"\n[bold]{cobertura.norma}[/bold]  {cobertura.nome}")
        if not cobertura.linhas:
            console.print("Cobertura ainda não escrita: falta o artigos.csv desta norma.")
            continue
        console.print(_counts(cobertura))
        for tabela in tabelas:
            console.print(tabela(cobertura))
    console.print("\nLegenda:")
    for estado, texto in SITUACOES.items():
        if CURTOS[estado] != texto:
            console.print(f"  {CURTOS[estado]}: {texto}")


def _counts(cobertura: Cobertura) -> Table:
    from rich.table import Table

    contagens = cobertura.contagens
    titulos = {"artigos": "artigos e anexos", "dispositivos": "dispositivos", "obrigacoes": "obrigações"}
    totais = {chave: sum(contagens[chave].values()) for chave in titulos}
    tabela = Table(box=None, pad_edge=False)
    tabela.add_column("")
    for titulo in titulos.values():
        tabela.add_column(titulo, justify="right")
    for estado, curto in CURTOS.items():
        if any(estado in c for c in contagens.values()):
            celulas = (_share(contagens[chave].get(estado, 0), totais[chave]) for chave in titulos)
            tabela.add_row(curto, *celulas)
    tabela.add_row("total", *(f"{totais[chave]}       " for chave in titulos), style="bold")
    return tabela


def _share(quantos: int, total: int) -> str:
    return f"{quantos} {f'({quantos / total:.0%})':>6}" if quantos else "-       "


def _table() -> Table:
    from rich.table import Table

    tabela = Table(show_lines=False, pad_edge=False, expand=True)
    tabela.add_column("dispositivo", no_wrap=True)
    tabela.add_column("assunto", ratio=3)
    tabela.add_column("situação", no_wrap=True)
    tabela.add_column("verificações", ratio=3, overflow="fold")
    tabela.add_column("por quê", ratio=4)
    return tabela


def _obligations(cobertura: Cobertura) -> Table:
    tabela = _table()
    for linha in cobertura.obrigacoes:
        _add(tabela, linha.dispositivo, linha.regra, linha.estado, (linha,))
    return tabela


def _articles(cobertura: Cobertura, todos: bool) -> Table:
    tabela = _table()
    for artigo in cobertura.artigos:
        primeira = artigo.linhas[0]
        if len(artigo.linhas) == 1 or todos:
            for linha in artigo.linhas:
                _add(tabela, linha.dispositivo, linha.assunto, linha.estado, (linha,))
        else:
            assunto = primeira.assunto if primeira.dispositivo == artigo.nome else f"{len(artigo.linhas)} itens"
            _add(tabela, artigo.nome, assunto, artigo.estado, artigo.linhas)
    return tabela


def _add(tabela: Table, nome: str, assunto: str, estado: str, linhas: tuple[Linha, ...]) -> None:
    from rich.markup import escape

    faltam = {c: f"{c} ({m})" for linha in linhas for c, m in linha.faltam.items()}
    checks = dict.fromkeys(c for linha in linhas for c in linha.verificacoes)
    cor = CORES.get(estado, "default")
    tabela.add_row(
        nome,
        escape(assunto),
        f"[{cor}]{CURTOS[estado]}[/{cor}]",
        escape("\n".join(faltam.get(c, c) for c in checks)),
        escape(_why(linhas)),
    )


def _why(linhas: tuple[Linha, ...]) -> str:
    if len(linhas) > 1:
        return _mix(linhas)
    leitura = f"leitura: {linhas[0].leitura}" if linhas[0].leitura else ""
    return "; ".join(t for t in (linhas[0].motivo, leitura) if t)


def _mix(linhas: tuple[Linha, ...]) -> str:
    from collections import Counter

    contas = Counter(linha.estado for linha in linhas)
    if len(contas) == 1:
        return f"{linhas[0].motivo or linhas[0].assunto} ({len(linhas)} dispositivos)"
    partes = [f"{contas[s]} {CURTOS[s] if contas[s] == 1 else MUITOS.get(s, CURTOS[s])}" for s in CURTOS if contas[s]]
    return f"{len(linhas)} dispositivos: " + ", ".join(partes)
