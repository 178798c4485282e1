"""The questions about the night itself: its sources, its gate, what it could not judge, the names it knows."""

from __future__ import annotations

from dashboard.consultas import Row, rows
from dashboard.copia import Reading
from dashboard.filtros import MISSING


def sources(reading: Reading) -> list[Row]:
    """Each extract of the night: worst state first, the day its rows come from, what was rejected, the reason."""
    return rows(
        reading.con,
        """
        select extrato, count(*) filter (situacao <> 'recusado') as arquivos,
               case when bool_or(situacao = 'defasado') then 'defasado'
                    when bool_or(situacao = 'recusado') then 'recusado'
                    when bool_or(situacao = 'aceito') then 'aceito' else 'ausente' end as situacao,
               bool_or(situacao = 'recusado') as recusado,
               min(origem_as_of) filter (situacao in ('aceito', 'defasado')) as origem,
               coalesce(sum(lidas) filter (situacao in ('aceito', 'defasado')), 0)::bigint as lidas,
               coalesce(sum(carregadas) filter (situacao in ('aceito', 'defasado')), 0)::bigint as carregadas,
               coalesce(sum(rejeitadas), 0)::bigint as rejeitadas,
               coalesce(sum(avisos), 0)::bigint as avisos,
               string_agg(motivo, ' ' order by arquivo) filter (motivo is not null) as motivo
        from carga where execucao_id = $id group by extrato
        order by case bool_or(situacao = 'defasado') when true then 0 else 1 end, extrato""",
        {"id": reading.execucao["execucao_id"]},
    )


def gate(reading: Reading) -> list[Row]:
    """The gate's answers of the night, those that failed first."""
    return rows(
        reading.con,
        """
        select extrato, descricao, severidade, sucesso, observado, esperado from gate_resultado
        where execucao_id = $id
        order by case when sucesso is null then 0 when sucesso then 3 when severidade = 'critica' then 1 else 2 end,
                 extrato, expectativa""",
        {"id": reading.execucao["execucao_id"]},
    )


def missing(reading: Reading, most: int = 200) -> list[Row]:
    """What is missing, per check and norm, and what that hides: findings, permissionarios, the act at stake."""
    return rows(
        reading.con,
        f"""
        with faltas as (
            select verificacao, norma, consequencia, sujeito_tipo, permissionario_id,
                   unnest(coalesce(nullif({MISSING}, []), ['(não dito)'])) as falta
            from achados a where situacao = 'nao_avaliado'
        )
        select falta, verificacao, norma, consequencia, count(*) as quantidade,
               count(distinct permissionario_id) as permissionarios, bool_or(sujeito_tipo = 'norma') as norma_inteira
        from faltas group by falta, verificacao, norma, consequencia
        order by (consequencia <> 'cassacao'), norma_inteira desc, quantidade desc, falta, verificacao, norma
        limit {int(most)}""",
    )


def names_of_lines(reading: Reading) -> dict[str, str]:
    """linha_id → name."""
    if "linhas" not in reading.tabelas:
        return {}
    return dict(reading.con.execute("select linha_id, nome from linhas").fetchall())


def norms(reading: Reading) -> list[Row]:
    """The norms in force: id, name, nickname."""
    return rows(reading.con, "select norma, nome, apelido, orgao from norma.normas order by norma")
