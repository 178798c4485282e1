"""The lists of every authority, gathered in SQL and handed over one authority at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from checks.law.catalogue import load_catalogue
from data.model import Norm
from notices.compose.facts import Night, stale_sources
from notices.compose.gather import with_subjects
from notices.compose.wording import owed_by_the_body
from notices.escalate.blocked import write_blocked
from sql.acts import who_draws_up
from sql.layers import ROOT, run_file

Row = Mapping[str, Any]

TODAY = """
select l.*, g.agente, p.nome, p.documento, p.tipo_pessoa, x.processos, e.achado_id is not null as contado
from escalada_linhas l
left join registro.permissionarios p using (permissionario_id)
left join escalada_agentes g on g.norma = l.norma
left join escalada_anteriores x using (permissionario_id)
left join (select distinct destinatario_id, achado_id, reaberta from entregue where degrau = 'escalada') e
    on e.destinatario_id = l.norma || ' ' || l.competente and e.achado_id = l.achado_id and e.reaberta = l.reaberta
order by l.norma, l.competente, l.e_ato desc, l.pronto desc, l.gravidade desc,
    coalesce(l.devido_em, l.aberta_em), l.achado_id
"""
GONE = "select * from escalada_fora order by norma, competente, causa, achado_id"


@dataclass
class Waiting:
    """What waits for one authority under one norm: acts first, then cases; blocked apart; what left."""

    norma: str
    competente: str
    atos: list[Row] = field(default_factory=list)
    casos: list[Row] = field(default_factory=list)
    bloqueados: list[Row] = field(default_factory=list)
    saidas: list[Row] = field(default_factory=list)

    @property
    def abertos(self) -> list[Row]:
        """Acts and cases listed."""
        return [*self.atos, *self.casos]

    @property
    def novos(self) -> int:
        """Listed today and not the night before."""
        return sum(1 for r in self.abertos if r["novo"])

    @property
    def persistem(self) -> int:
        """Listed on both nights."""
        return len(self.abertos) - self.novos


def gather(con: duckdb.DuckDBPyConnection, night: Night, norms: Sequence[Norm]) -> Iterator[Waiting]:
    """Every authority with something listed, blocked or gone, by norm and name."""
    if not con.execute("select 1 from duckdb_tables() where table_name = 'entregue' and temporary").fetchall():
        con.execute(
            "create temp table entregue (destinatario_id varchar, achado_id varchar, degrau varchar, reaberta integer)"
        )
    anterior = con.execute(
        "select execucao_id, as_of from execucao_vigente where as_of < $d order by as_of desc limit 1",
        {"d": night.as_of},
    ).fetchall()
    anterior_id, anterior_as_of = anterior[0] if anterior else ("", night.as_of)
    write_blocked(con, norms, load_catalogue(), night.as_of, [s.extrato for s in stale_sources(con, night)])
    run_file(
        con,
        ROOT / "escalada" / "010_listas.sql",
        {
            "execucao_id": night.execucao_id,
            "as_of": night.as_of,
            "anterior_id": anterior_id,
            "anterior_as_of": anterior_as_of,
            "do_orgao": list(owed_by_the_body()),
        },
    )
    con.execute("create or replace temp table escalada_agentes (norma varchar, agente varchar)")
    con.executemany(
        "insert into escalada_agentes values (?, ?)", [list(x) for x in who_draws_up(con).items()] or [[None, None]]
    )
    with_subjects(con, "escalada_hoje", "escalada_linhas")
    with_subjects(con, "escalada_saidas", "escalada_fora")
    listas: dict[tuple[str, str], Waiting] = {}
    for r in _rows(con, TODAY):
        lista = _of(listas, r)
        (lista.bloqueados if r["bloqueado"] else lista.atos if r["e_ato"] else lista.casos).append(r)
    for r in _rows(con, GONE):
        _of(listas, r).saidas.append(r)
    yield from (listas[chave] for chave in sorted(listas))


def _of(listas: dict[tuple[str, str], Waiting], r: Row) -> Waiting:
    chave = (r["norma"], r["competente"])
    if chave not in listas:
        listas[chave] = Waiting(*chave)
    return listas[chave]


def _rows(con: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    cursor = con.execute(query)
    nomes = [coluna[0] for coluna in cursor.description or ()]
    return [dict(zip(nomes, linha, strict=True)) for linha in cursor.fetchall()]
