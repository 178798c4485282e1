"""One case, whole: why it is one, where it stands, what it rests on, what else hangs over the same operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.consultas import Row, rows
from dashboard.copia import Reading
from dashboard.linha_do_tempo import LinhaDoTempo, draw
from dashboard.mascara import hide_cpfs
from dashboard.motivo import reason
from reports.explain import ExplainError, explain, render_explanation
from reports.explain.story import Explanation
from reports.explain.vocabulary import description, label, read_evidence, write
from sql.acts import who_draws_up

MOST_AUTOS = 100
MOST_ACTS = 50


@dataclass(frozen=True)
class Campo:
    """One field of the evidence, as shown."""

    rotulo: str
    valor: str
    descricao: str


@dataclass(frozen=True)
class Tabela:
    """One table of the evidence, as shown: heads, then rows of text."""

    rotulo: str
    colunas: list[str]
    linhas: list[list[str]]


@dataclass(frozen=True)
class Caso:
    """All that the page of one case shows. `causa` is filled when it was closed."""

    achado: Row
    explicacao: Explanation | None
    texto: str
    campos: list[Campo]
    tabelas: list[Tabela]
    linha: LinhaDoTempo | None
    motivo: str
    processos: list[Row]
    autos: list[Row]
    atos: list[Row]
    dispensas: list[Row]
    causa: str | None
    #: who draws up autos under the norm, where it says.
    agente: str | None = None


def gather(reading: Reading, achado_id: str) -> Caso | None:
    """The case of a finding, open or closed; None when the copy knows no such finding."""
    con = reading.con
    found = rows(
        con,
        """
        select a.*, n.etapa, n.prazo_ate, n.pronto, n.processo_id, n.processo_arquivado_em, n.natureza,
               p.nome, p.documento, p.tipo_pessoa, p.situacao as situacao_permissionario, p.cadastrado_em,
               null::varchar as causa, null::date as encerrado_em
        from achados a left join atos_andamento n using (achado_id)
        left join permissionarios p on p.permissionario_id = a.permissionario_id
        where a.achado_id = $id""",
        {"id": achado_id},
    ) or rows(
        con,
        """
        select a.*, null::varchar as etapa, null::date as prazo_ate, null::boolean as pronto,
               null::varchar as processo_id, null::date as processo_arquivado_em, null::varchar as natureza,
               p.nome, p.documento, p.tipo_pessoa, p.situacao as situacao_permissionario, p.cadastrado_em
        from encerrados a left join permissionarios p on p.permissionario_id = a.permissionario_id
        where a.achado_id = $id order by encerrado_em desc limit 1""",
        {"id": achado_id},
    )
    if not found:
        return None
    finding = found[0]
    evidence = read_evidence(finding.pop("evidencia"))
    holder = finding["permissionario_id"]
    autos = _autos(reading, holder)
    processes = _processes(reading, holder)
    own = next((p for p in processes if p["processo_id"] and p["processo_id"] == finding["processo_id"]), None)
    told, text = None, ""
    if finding["causa"] is None:
        try:
            told = explain(con, achado_id)
            text = hide_cpfs(render_explanation(told))
        except ExplainError:
            told = None
    return Caso(
        achado=finding,
        explicacao=told,
        texto=text,
        campos=_fields(evidence),
        tabelas=_tables(evidence),
        linha=draw(evidence, autos, own, reading.as_of),
        motivo=reason(finding["verificacao"], evidence),
        processos=processes,
        autos=autos,
        atos=_acts(reading, holder, achado_id),
        dispensas=_waivers(reading, finding),
        causa=finding["causa"],
        agente=who_draws_up(con).get(finding["norma"]),
    )


def _autos(reading: Reading, holder: str | None) -> list[Row]:
    if holder is None or "autos" not in reading.tabelas:
        return []
    return rows(
        reading.con,
        "select auto_id, ocorrido_em, codigo, estado_auto, ciencia_em, valor, coalesce(pago, false) as pago, veiculo_id"
        f" from autos where permissionario_id = $p order by ocorrido_em desc, auto_id limit {MOST_AUTOS}",
        {"p": holder},
    )


def _processes(reading: Reading, holder: str | None) -> list[Row]:
    """The latest process of each act, with its stage: the ones an act may rest on."""
    if holder is None:
        return []
    return rows(
        reading.con,
        "select * from processos_andamento where permissionario_id = $p order by instaurado_em desc, processo_id",
        {"p": holder},
    )


def _acts(reading: Reading, holder: str | None, achado_id: str) -> list[Row]:
    """What else is open of the same operator, gravest first."""
    if holder is None:
        return []
    return rows(
        reading.con,
        f"""
        select a.achado_id, a.verificacao, a.situacao, a.consequencia, a.devido_em, a.aberta_em, n.etapa, a.valor
        from achados a left join atos_andamento n using (achado_id)
        where a.permissionario_id = $p and a.achado_id <> $id
        order by n.gravidade desc nulls last, a.devido_em nulls last, a.achado_id limit {MOST_ACTS}""",
        {"p": holder, "id": achado_id},
    )


def _waivers(reading: Reading, finding: Row) -> list[Row]:
    """Waivers in force that cover other findings of the same subject or operator, those of the subject first."""
    return rows(
        reading.con,
        f"""
        select a.achado_id, a.verificacao, a.consequencia, a.sujeito_tipo, a.sujeito_id,
               (a.sujeito_tipo = $tipo and a.sujeito_id = $sujeito) as mesmo_sujeito,
               json_extract_string(a.evidencia, '$.dispensa.processo') as processo,
               json_extract_string(a.evidencia, '$.dispensa.autoridade') as autoridade,
               json_extract_string(a.evidencia, '$.dispensa.motivo') as motivo,
               try_cast(json_extract_string(a.evidencia, '$.dispensa.valida_de') as date) as valida_de,
               try_cast(json_extract_string(a.evidencia, '$.dispensa.valida_ate') as date) as valida_ate
        from achados a
        where a.situacao = 'dispensado' and a.achado_id <> $id
          and ((a.sujeito_tipo = $tipo and a.sujeito_id = $sujeito) or a.permissionario_id = $p)
        order by mesmo_sujeito desc, a.verificacao, a.achado_id limit {MOST_ACTS}""",
        {
            "id": finding["achado_id"],
            "tipo": finding["sujeito_tipo"],
            "sujeito": finding["sujeito_id"],
            "p": finding["permissionario_id"],
        },
    )


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _fields(evidence: Mapping[str, Any]) -> list[Campo]:
    return [
        Campo(label(name), hide_cpfs(write(name, value)), description(name))
        for name, value in evidence.items()
        if value not in (None, [], {}) and not _is_table(value) and name != "falta"
    ]


def _tables(evidence: Mapping[str, Any]) -> list[Tabela]:
    tables = []
    for name, value in evidence.items():
        if not value or not _is_table(value):
            continue
        lines = value if isinstance(value, list) else [value]
        names = [
            n
            for n in dict.fromkeys(k for line in lines for k in line)
            if any(line.get(n) is not None for line in lines)
        ]
        tables.append(
            Tabela(
                label(name),
                [label(n) for n in names],
                [[hide_cpfs(write(n, line.get(n))) for n in names] for line in lines],
            )
        )
    return tables
