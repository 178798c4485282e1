"""The end of a run, for a tired analyst at a terminal: what came in, what is wrong, where to look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reports.dicas import command, shown
from reports.formats import date_br, int_br, seconds_br
from reports.resumo import Carga, Resumo, Verificacao

DESFECHO = {
    0: "CONCLUÍDA",
    1: "FALHOU",
    3: "CONCLUÍDA COM EXTRATO RECUSADO OU DEFASADO",
}
AVISOS_MOSTRADOS = 5
SITUACAO_DA_CARGA = {
    "aceito": "aceito",
    "recusado": "RECUSADO",
    "defasado": "DEFASADO",
    "ausente": "ausente",
}


def render_summary(resumo: Resumo) -> list[str]:
    """The lines of the summary: outcome, files, checks, warnings, time, where the outputs are."""
    titulo = "Simulação" if resumo.simulacao else "Noite"
    linhas = [
        "",
        f"{titulo} de {date_br(resumo.as_of)} — {DESFECHO.get(resumo.codigo_saida, 'FALHOU')}",
    ]
    linhas += [f"  ERRO: {e}" for e in resumo.erros]
    linhas += [f"  Atenção: {a}" for a in resumo.avisos]
    linhas += _gate(resumo.conferencia)
    if resumo.simulacao:
        linhas += ["", *_simulation(resumo)]
    if resumo.cargas:
        linhas += ["", "Extratos", *_loads(resumo.cargas)]
    if resumo.verificacoes:
        linhas += ["", "Verificações", *_checks(resumo)]
    if resumo.ressalvas:
        linhas += ["", *_cautions(resumo.ressalvas)]
    linhas += ["", f"Tempo: {seconds_br(resumo.segundos)} ({_slowest(resumo)})"]
    if resumo.saidas:
        linhas += ["Onde está:", *(f"  {shown(s)}" for s in resumo.saidas)]
    if resumo.exemplo:
        linhas += ["Para ver um achado inteiro:", f"  {command('explain', resumo.exemplo, warehouse=resumo.banco)}"]
    return linhas


def _gate(avisos: Sequence[str]) -> list[str]:
    if not avisos:
        return []
    quantos = "1 aviso" if len(avisos) == 1 else f"{int_br(len(avisos))} avisos"
    resto = len(avisos) - AVISOS_MOSTRADOS
    mais = [f"    e mais {int_br(resto)}"] if resto > 0 else []
    return [
        f"  Conferência da carga: {quantos}; veja relatorio.html",
        *(f"    {a}" for a in avisos[:AVISOS_MOSTRADOS]),
        *mais,
    ]


def _simulation(resumo: Resumo) -> list[str]:
    linhas = ["Simulação: nada do que vale foi alterado."]
    if not resumo.verificacoes:
        return linhas  # it ended before it judged: there is nothing to compare
    if resumo.banco_simulado:
        linhas += [
            f"  Banco da simulação: {shown(resumo.banco_simulado)}",
            f"  Para comparar com o que vale: {command('diff', warehouse=resumo.banco_simulado)}",
        ]
    if resumo.ajustes:
        return [*linhas, "  Ajustes do município aplicados:", *(f"    {a}" for a in resumo.ajustes)]
    return [*linhas, "  Ajustes do município aplicados: nenhum; valem os números das normas."]


def _loads(cargas: Sequence[Carga]) -> list[str]:
    cabecalho = ("arquivo", "lidas", "carregadas", "rejeitadas", "duplicadas", "avisos", "situação")
    return format_table(
        cabecalho,
        [
            (
                c.arquivo or c.extrato,
                *map(_count, (c.lidas, c.carregadas, c.rejeitadas, c.duplicadas, c.avisos)),
                _load_state(c),
            )
            for c in cargas
        ],
        esquerda={0, 6},
    )


def _load_state(carga: Carga) -> str:
    texto = SITUACAO_DA_CARGA.get(carga.situacao, carga.situacao)
    if carga.situacao == "defasado" and carga.origem_as_of:
        texto += f" (vale o de {date_br(carga.origem_as_of)})"
    elif carga.situacao == "ausente" and carga.origem_as_of:
        texto += f" (veio em {date_br(carga.origem_as_of)})"
    return texto


def _checks(resumo: Resumo) -> list[str]:
    cabecalho = (
        "verificação",
        "violações",
        "a vencer",
        "p/ decidir",
        "não aval.",
        "dispens.",
        "novos",
        "encerr.",
    )
    colunas = ("violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado", "novos", "encerrados")
    corpo = [(_check_name(v), *(_count(getattr(v, c)) for c in colunas)) for v in resumo.verificacoes]
    corpo.append(("TOTAL", *(_count(resumo.total(c)) for c in colunas)))
    return format_table(cabecalho, corpo, esquerda={0})


def _cautions(n: int) -> list[str]:
    quantos = "1 achado aberto tem ressalva" if n == 1 else f"{int_br(n)} achados abertos têm ressalva"
    return [
        f"  {quantos}: uma linha rejeitada nesta noite, ou uma dispensa, pode mudar a conclusão.",
        "  Até conferir, não se cobram nem ficam prontos; estão em ressalvas.csv, com a linha a corrigir.",
    ]


def _count(n: int) -> str:
    """A dot for none: the eye goes to the numbers."""
    return int_br(n) if n else "·"


def _check_name(v: Verificacao) -> str:
    return f"{v.verificacao} (FALHOU)" if v.erro else v.verificacao


def _slowest(resumo: Resumo) -> str:
    if not resumo.etapas:
        return "nenhuma etapa"
    pior = max(resumo.etapas, key=lambda e: e.segundos)
    pico = max(e.pico_mb for e in resumo.etapas)
    return f"mais demorada: {pior.titulo}, {seconds_br(pior.segundos)}; memória de pico {int_br(round(pico))} MB"


def format_table(
    cabecalho: Sequence[str], corpo: Iterable[Sequence[str]], esquerda: set[int] | None = None
) -> list[str]:
    """Text lines of a table, columns aligned; `esquerda` holds the columns set to the left."""
    linhas = [tuple(cabecalho), *map(tuple, corpo)]
    larguras = [max(len(linha[i]) for linha in linhas) for i in range(len(cabecalho))]
    esquerda = esquerda or set()

    def compor(linha: Sequence[str]) -> str:
        celulas = (v.ljust(larguras[i]) if i in esquerda else v.rjust(larguras[i]) for i, v in enumerate(linha))
        return ("  " + "  ".join(celulas)).rstrip()

    return [
        compor(linhas[0]),
        "  " + "─" * (sum(larguras) + 2 * (len(larguras) - 1)),
        *map(compor, linhas[1:]),
    ]
