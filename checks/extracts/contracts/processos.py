"""Row contract of `processos`: administrative proceedings."""

from checks.extracts.columns import Contract, choice, date, identifier, text

CONTRACT = Contract(
    "processos",
    columns=(
        identifier("processo_id", required=True),
        identifier("permissionario_id", required=True),
        choice(
            "ato",
            "advertencia suspensao cassacao cassacao_matricula intervencao cancelamento",
            required=True,
        ),
        text("fundamento"),
        date("instaurado_em", required=True),
        date("ciencia_em"),
        date("defesa_em"),
        choice("decisao", "aplicada arquivada"),
        date("decisao_em"),
        date("ciencia_decisao_em"),
        date("recurso_em"),
        choice("decisao_recurso", "provido negado"),
        date("decisao_recurso_em"),
    ),
    key="processo_id",
)
