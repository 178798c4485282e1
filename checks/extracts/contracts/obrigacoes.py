"""Row contract of `obrigacoes`: periodic duties delivered."""

from checks.extracts.columns import Contract, choice, date, identifier

CONTRACT = Contract(
    "obrigacoes",
    columns=(
        identifier("permissionario_id", required=True),
        choice("tipo", "balanco relatorio_operacional atualizacao_cadastral declaracao", required=True),
        identifier("referencia", required=True),
        date("entregue_em"),
    ),
)
