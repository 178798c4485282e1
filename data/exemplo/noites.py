"""The registry as it stood on a night: later rows aren't there, later events are blank."""

from datetime import date

import polars as pl

# Per extract: the column whose date makes a row exist; its events, with what is written together with each.
LIFE: dict[str, tuple[str | None, dict[str, tuple[str, ...]]]] = {
    "permissionarios": ("cadastrado_em", {"cassado_em": (), "encerrado_em": ()}),
    "veiculos": ("cadastrado_em", {"baixado_em": (), "declaracao_substituicao_em": ()}),
    "alvaras": (
        "emitido_em",
        {
            "renovacao_requerida_em": (),
            "interrompido_em": ("interrupcao_ate", "interrupcao_justificada"),
            "ordem_operacao_em": (),
            "operacao_iniciada_em": (),
        },
    ),
    "condutores": ("cadastrado_em", {"suspenso_em": ("suspenso_ate",), "desligado_em": ()}),
    "vistorias": (
        "convocada_em",
        {"realizada_em": ("resultado", "itens"), "ciencia_em": (), "corrigida_em": ()},
    ),
    "autos": (
        "lavrado_em",
        {
            "defesa_em": (),
            "decisao_em": ("decisao", "valor_decidido"),
            "ciencia_decisao_em": (),
            "recurso_em": (),
            "decisao_recurso_em": ("decisao_recurso",),
            "ciencia_recurso_em": (),
            "pago_em": ("valor_pago",),
            "cancelado_em": (),
        },
    ),
    "processos": (
        "instaurado_em",
        {
            "ciencia_em": (),
            "defesa_em": (),
            "decisao_em": ("decisao",),
            "ciencia_decisao_em": (),
            "recurso_em": (),
            "decisao_recurso_em": ("decisao_recurso",),
        },
    ),
    "operacao": ("data", {}),
    "obrigacoes": (None, {"entregue_em": ()}),
    "garantias": ("data", {"notificado_em": ()}),
    "taxas": (None, {"pago_em": ("valor_pago",)}),
    "comunicacoes": ("ocorrido_em", {"comunicado_em": ()}),
    "lista_espera": ("requerido_em", {}),
    "dispensas": ("valida_de", {}),
}
# What a state column says before its event.
BEFORE = {
    "permissionarios": {"situacao": ("ativo", {"cassado": "cassado_em", "encerrado": "encerrado_em"})},
    "alvaras": {"situacao": ("vigente", {"interrompido": "interrompido_em"})},
    "condutores": {"matricula_situacao": ("ativa", {"suspensa": "suspenso_em"})},
    "autos": {"situacao": ("ativo", {"cancelado": "cancelado_em"})},
}


def as_known(extract: str, rows: pl.DataFrame, night: date) -> pl.DataFrame:
    """`rows` of `extract` as a folder written on `night` shows them."""
    exists, events = LIFE.get(extract, (None, {}))
    if exists:
        rows = rows.filter(pl.col(exists).cast(pl.Date) <= night)
    blank: list[pl.Expr] = []
    for event, together in events.items():
        for column in (event, *together):
            blank.append(pl.when(pl.col(event) <= night).then(pl.col(column)).alias(column))
    for state, (initial, by_event) in BEFORE.get(extract, {}).items():
        expr = pl.col(state)
        for value, event in by_event.items():
            expr = pl.when((pl.col(state) == value) & (pl.col(event) > night)).then(pl.lit(initial)).otherwise(expr)
        blank.append(expr.alias(state))
    # All at once: every expression sees the dates before they are blanked.
    return rows.with_columns(blank) if blank else rows
