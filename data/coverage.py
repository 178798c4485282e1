"""How much of the law the product checks: every article, and what became of each obligation.

Two files per norm, written by people: `artigos.csv` (the whole law, annexes included, one row for every
article and for every paragraph, inciso and alinea with a rule of its own) and `cobertura.csv` (one row for
every provision a machine could check). What can be derived is derived: a listed check that doesn't run for
the norm yet doesn't count, and an article is worth what its rows are worth.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from data.coverage_faults import citation_faults, law_faults, row_faults
from data.coverage_model import (
    ARTIGOS,
    OBRIGACOES,
    SITUACOES,
    Artigo,
    Cobertura,
    Linha,
)
from data.errors import NormError, Problema
from data.sources import Bruto, read_csv, show

__all__ = ["SITUACOES", "Artigo", "Cobertura", "Linha", "load_coverage"]

ROOT = Path(__file__).parent / "normas"
CHECKS = Path(__file__).parent.parent / "checks" / "law"


def load_coverage(root: Path = ROOT, checks: Path = CHECKS) -> tuple[Cobertura, ...]:
    """The coverage of every norm under `root`, sorted by folder; `checks` holds the checks that exist.

    A norm without the two files has empty coverage: nobody wrote it yet.

    Raises `NormError` listing every problem of the files with file and line.
    """
    problemas: list[Problema] = []
    implementadas = {p.parent.name for p in checks.glob("*/check.toml")}
    pastas = sorted(p.parent for p in root.glob("*/norma.toml"))
    if not pastas:
        problemas.append(Problema(show(root), 1, "nenhuma norma: falta <pasta>/norma.toml"))
    coberturas = [_load_norm(pasta, implementadas, problemas) for pasta in pastas]
    if problemas:
        raise NormError(problemas)
    return tuple(coberturas)


def _load_norm(pasta: Path, implementadas: set[str], problemas: list[Problema]) -> Cobertura:
    cabecalho = _toml(pasta / "norma.toml", problemas).get("norma", {})
    ligadas = {
        check
        for arquivo in sorted((pasta / "verificacoes").glob("*.toml"))
        for check in _toml(arquivo, problemas).get("verificacao", {})
    }
    arquivos: dict[str, list[tuple[Bruto, Linha]]] = {}
    for nome in (ARTIGOS, OBRIGACOES):
        brutos = read_csv(pasta / nome, problemas)
        arquivos[nome] = [(b, _row(b, nome, implementadas, ligadas, problemas)) for b in brutos]
    problemas.extend(law_faults(show(pasta / ARTIGOS), arquivos[ARTIGOS]))
    problemas.extend(citation_faults(arquivos[ARTIGOS], arquivos[OBRIGACOES]))
    return Cobertura(
        norma=str(cabecalho.get("id", pasta.name)),
        nome=str(cabecalho.get("nome", pasta.name)),
        linhas=tuple(linha for _, linha in arquivos[ARTIGOS]),
        obrigacoes=tuple(linha for _, linha in arquivos[OBRIGACOES]),
    )


def _toml(caminho: Path, problemas: list[Problema]) -> dict[str, dict[str, object]]:
    try:
        return tomllib.loads(caminho.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as erro:
        problemas.append(Problema(show(caminho), 1, f"TOML inválido: {erro}"))
        return {}


def _row(bruto: Bruto, arquivo: str, implementadas: set[str], ligadas: set[str], problemas: list[Problema]) -> Linha:
    valores = {k: str(v) for k, v in bruto.valores.items()}
    situacao, motivo = valores.get("situacao", ""), valores.get("motivo", "")
    verificacoes = tuple(valores.get("verificacoes", "").split())
    problemas.extend(Problema(*bruto.where(), m) for m in row_faults(valores, arquivo, verificacoes))
    faltam = {c: "ainda não implementada" for c in verificacoes if c not in implementadas}
    faltam |= {c: "sem parâmetros nesta norma" for c in verificacoes if c not in ligadas and c not in faltam}
    return Linha(
        dispositivo=valores.get("dispositivo", ""),
        assunto=valores.get("assunto") or valores.get("tema", ""),
        regra=valores.get("regra", ""),
        situacao=situacao,
        verificacoes=verificacoes,
        motivo=motivo,
        leitura=valores.get("leitura", ""),
        faltam=faltam,
    )
