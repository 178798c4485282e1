"""Row contract of `garantias`: guarantees deposited, called and returned."""

from checks.extracts.columns import Contract, choice, date, identifier, money

CONTRACT = Contract(
    "garantias",
    columns=(
        identifier("permissionario_id", required=True),
        choice("movimento", "deposito reforco execucao devolucao", required=True),
        date("data", required=True),
        money("valor", required=True),
        choice("modalidade", "dinheiro fianca veiculo"),
        identifier("veiculo_id"),
        date("notificado_em"),
    ),
)
