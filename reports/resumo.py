"""What a night amounted to, in numbers: the same for the terminal, Prefect's artifact and `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

import duckdb

SITUACOES = ("violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado")


@dataclass(frozen=True)
class Carga:
    """One file of an extract: rows read, loaded and not, and whether it is in force."""

    extrato: str
    arquivo: str | None
    lidas: int
    carregadas: int
    rejeitadas: int
    duplicadas: int
    ignoradas: int
    avisos: int
    situacao: str
    origem_as_of: date | None
    motivo: str | None


@dataclass(frozen=True)
class Verificacao:
    """The findings of one check on this night, by situation, and those it closed."""

    verificacao: str
    violacao: int
    a_vencer: int
    para_decisao: int
    nao_avaliado: int
    dispensado: int
    novos: int
    encerrados: int
    erro: str | None


@dataclass(frozen=True)
class Etapa:
    """One step of the run: what it cost, and the seconds of its named parts."""

    nome: str
    titulo: str
    segundos: float
    linhas: int | None
    pico_mb: float
    situacao: str
    erro: str | None = None
    partes: dict[str, float] = field(default_factory=dict)


@dataclass
class Resumo:
    """The night's figures. `erros` is what made it fail, `avisos` what somebody should look at."""

    as_of: date
    extracts: str
    warehouse: str
    execucao_id: str | None = None
    codigo_saida: int = 1
    cargas: list[Carga] = field(default_factory=list)
    verificacoes: list[Verificacao] = field(default_factory=list)
    etapas: list[Etapa] = field(default_factory=list)
    saidas: list[str] = field(default_factory=list)
    avisos: list[str] = field(default_factory=list)
    erros: list[str] = field(default_factory=list)
    simulacao: bool = False
    #: What the gate found worth a look, one text each; it refused nothing for it.
    conferencia: list[str] = field(default_factory=list)
    #: Of a simulation: the copy of the warehouse it left, and the municipality's own values it applied.
    banco_simulado: str | None = None
    ajustes: list[str] = field(default_factory=list)
    #: Open findings that a rejected row, or a dispensa for a like check, may still change.
    ressalvas: int = 0
    #: A finding to show how one is explained.
    exemplo: str | None = None

    @property
    def segundos(self) -> float:
        """Wall seconds of all steps."""
        return sum(e.segundos for e in self.etapas)

    def total(self, coluna: str) -> int:
        """Sum of one count over the checks."""
        return sum(getattr(v, coluna) for v in self.verificacoes)

    @property
    def banco(self) -> str:
        """Where these results are: the warehouse, or a simulation's copy of it."""
        return self.banco_simulado or self.warehouse

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON with `default=str`."""
        return asdict(self)


def read_loads(con: duckdb.DuckDBPyConnection, sumidos: Mapping[str, tuple[date, str]] | None = None) -> list[Carga]:
    """Tonight's files, from `extrato.cargas`, refused and stale ones first.

    Of the absent extracts, only those of `sumidos`, with the date they last came on and what that means tonight.
    """
    sumidos = sumidos or {}
    linhas = con.execute(
        """
        SELECT extrato, arquivo, lidas, carregadas, rejeitadas, duplicadas, ignoradas, avisos,
               situacao, origem_as_of, motivo
        FROM extrato.cargas
        WHERE situacao <> 'ausente' OR list_contains($sumidos, extrato)
        ORDER BY situacao = 'aceito', extrato, arquivo
        """,
        {"sumidos": list(sumidos)},
    ).fetchall()
    cargas = [Carga(*linha) for linha in linhas]
    return [
        replace(c, origem_as_of=sumidos[c.extrato][0], motivo=sumidos[c.extrato][1]) if c.situacao == "ausente" else c
        for c in cargas
    ]


def read_gate_warnings(con: duckdb.DuckDBPyConnection) -> list[str]:
    """What the gate of the run under way warns of, one text each; an extract that didn't come is told elsewhere."""
    linhas = con.execute(
        """
        SELECT extrato, descricao, observado, esperado FROM resultado.gate
        WHERE sucesso IS FALSE AND severidade = 'aviso' AND expectativa NOT IN ('presente', 'em_vigor')
        ORDER BY extrato, expectativa
        """
    ).fetchall()
    return [f"{e}: não confere «{d}»: {o}, esperado {x}" for e, d, o, x in linhas]


def read_example(con: duckdb.DuckDBPyConnection) -> str | None:
    """The id of one finding of the night just recorded, violations first."""
    linhas = con.execute(
        """
        SELECT achado_id FROM achados WHERE situacao IN ('violacao', 'a_vencer')
        ORDER BY situacao DESC, achado_id LIMIT 1
        """
    ).fetchall()
    return linhas[0][0] if linhas else None


def read_overrides(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The municipality's own values that the norms were loaded with, one text each."""
    linhas = con.execute(
        """
        SELECT norma, concat_ws(' ', coalesce(verificacao, tabela), chave), parametro, valor, ato
        FROM norma.ajustes ORDER BY ALL
        """
    ).fetchall()
    return [f"{norma}: {onde}.{parametro} = {valor} ({ato})" for norma, onde, parametro, valor, ato in linhas]


def read_checks(con: duckdb.DuckDBPyConnection) -> list[Verificacao]:
    """Counts per check of the run just recorded, every check that ran even if it found nothing."""
    contas = ", ".join(f"count(*) FILTER (situacao = '{s}') AS {s}" for s in SITUACOES)
    linhas = con.execute(
        f"""
        WITH ids AS (
            SELECT verificacao, string_agg(DISTINCT erro, ' | ') AS erro
            FROM resultado.verificacoes GROUP BY verificacao
        ), abertos AS (
            SELECT verificacao, {contas}, count(*) FILTER (estado = 'novo') AS novos
            FROM achados GROUP BY verificacao
        ), fechados AS (
            SELECT verificacao, count(*) AS encerrados FROM encerrados GROUP BY verificacao
        )
        SELECT verificacao, {", ".join(f"coalesce({s}, 0)" for s in SITUACOES)},
               coalesce(novos, 0), coalesce(encerrados, 0), erro
        FROM ids FULL JOIN abertos USING (verificacao) FULL JOIN fechados USING (verificacao)
        ORDER BY verificacao
        """
    ).fetchall()
    return [Verificacao(*linha) for linha in linhas]
