"""Row contract of `taxas`: fees charged."""

from checks.extracts.columns import Contract, choice, date, identifier, money, year

CONTRACT = Contract(
    "taxas",
    columns=(
        identifier("permissionario_id", required=True),
        choice("tipo", "TVTM TVTI cracha_permissionario cracha_condutor ISSQN outra", required=True),
        year("exercicio", required=True),
        identifier("veiculo_id"),
        date("vence_em"),
        money("valor"),
        date("pago_em"),
        money("valor_pago"),
    ),
)
