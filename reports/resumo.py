"""What a night amounted to, in numbers: the same for the terminal, Prefect's artifact and `--json`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

import duckdb

SITUACOES = ("violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado")


@dataclass(frozen=True)
class Carga:
    """One file of an extract: rows read, loaded and not, and whether it is in force."""

    extrato: str
    arquivo: str
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

    @property
    def segundos(self) -> float:
        """Wall seconds of all steps."""
        return sum(e.segundos for e in self.etapas)

    def total(self, coluna: str) -> int:
        """Sum of one count over the checks."""
        return sum(getattr(v, coluna) for v in self.verificacoes)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON with `default=str`."""
        return asdict(self)


def read_loads(con: duckdb.DuckDBPyConnection) -> list[Carga]:
    """Tonight's files, from `extrato.cargas`, refused and stale ones first."""
    linhas = con.execute(
        """
        SELECT extrato, arquivo, lidas, carregadas, rejeitadas, duplicadas, ignoradas, avisos,
               situacao, origem_as_of, motivo
        FROM extrato.cargas
        WHERE situacao <> 'ausente'
        ORDER BY situacao = 'aceito', extrato, arquivo
        """
    ).fetchall()
    return [Carga(*linha) for linha in linhas]


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
