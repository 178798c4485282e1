"""What can be wrong in the coverage files of a norm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from data.coverage_model import (
    ARTIGOS,
    NAO_IMPLEMENTADA,
    OBRIGACOES,
    SITUACOES,
    Linha,
    article_name,
    cited_articles,
)
from data.errors import Problema
from data.sources import Bruto

SEM_VERIFICACAO = {"pessoas", "sem_regra", "pendente"}
COM_VERIFICACAO = {"verificado", "parcial", "parametro"}
COM_MOTIVO = {"parcial", "pessoas", "sem_regra", "pendente"}
COLUNAS = {
    ARTIGOS: ("ordem", "dispositivo", "assunto", "situacao"),
    OBRIGACOES: ("dispositivo", "tema", "regra", "situacao"),
}
_ID = re.compile(r"[a-z][a-z0-9_]*")


def row_faults(valores: Mapping[str, str], arquivo: str, verificacoes: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with one row by itself, in Portuguese."""
    situacao = valores.get("situacao", "")
    for coluna in COLUNAS[arquivo]:
        if not valores.get(coluna):
            yield f"falta preencher `{coluna}`"
    if situacao and situacao not in SITUACOES.keys() - {NAO_IMPLEMENTADA}:
        validas = ", ".join(s for s in SITUACOES if s != NAO_IMPLEMENTADA)
        yield f"situação desconhecida `{situacao}`; use uma de: {validas}"
    for check in verificacoes:
        if not _ID.fullmatch(check):
            yield f"`{check}` não é o id de uma verificação; separe os ids por espaço"
    if len(set(verificacoes)) < len(verificacoes):
        yield "a mesma verificação aparece duas vezes na linha"
    if situacao in COM_VERIFICACAO and not verificacoes:
        yield f"situação `{situacao}` pede ao menos um id em `verificacoes`"
    if situacao in SEM_VERIFICACAO and verificacoes:
        yield f"situação `{situacao}` não leva ids em `verificacoes`"
    if not valores.get("motivo") and (situacao in COM_MOTIVO or (situacao == "fato" and not verificacoes)):
        yield f"situação `{situacao}` pede o `motivo`"


def law_faults(arquivo: str, linhas: list[tuple[Bruto, Linha]]) -> Iterator[Problema]:
    """Rows numbered in order, none repeated, and every article from 1 to the last with a row of its own."""
    vistos: dict[str, int] = {}
    numeros: set[int] = set()
    for posicao, (bruto, linha) in enumerate(linhas, start=1):
        onde = bruto.where()
        if bruto.valores.get("ordem") != str(posicao):
            aviso = f"`ordem` deve ser {posicao}: as linhas seguem a lei, numeradas de 1 em diante"
            yield Problema(*onde, aviso)
        if linha.dispositivo in vistos:
            aviso = f"`{linha.dispositivo}` já está na linha {vistos[linha.dispositivo]}"
            yield Problema(*onde, aviso)
        vistos.setdefault(linha.dispositivo, onde[1])
        if achado := re.fullmatch(r"art\. (\d+)º?", linha.dispositivo):
            numeros.add(int(achado.group(1)))
    for numero in sorted(set(range(1, max(numeros, default=0) + 1)) - numeros):
        yield Problema(arquivo, 1, f"falta a linha do art. {numero}: a cobertura é da lei inteira")


def citation_faults(artigos: list[tuple[Bruto, Linha]], obrigacoes: list[tuple[Bruto, Linha]]) -> Iterator[Problema]:
    """Every obligation cites articles that exist, and its checks are listed under one of them."""
    por_artigo: dict[str, set[str]] = {}
    for _, linha in artigos:
        por_artigo.setdefault(article_name(linha.dispositivo), set()).update(linha.verificacoes)
    for bruto, linha in obrigacoes:
        citados = cited_articles(linha.dispositivo)
        if not citados or citados - por_artigo.keys():
            faltam = ", ".join(sorted(citados - por_artigo.keys())) or linha.dispositivo
            yield Problema(*bruto.where(), f"dispositivo sem linha em {ARTIGOS}: {faltam}")
            continue
        listadas = set().union(*(por_artigo[c] for c in citados))
        for check in sorted(set(linha.verificacoes) - listadas):
            aviso = f"`{check}` não aparece em {ARTIGOS} sob {linha.dispositivo}"
            yield Problema(*bruto.where(), aviso)
