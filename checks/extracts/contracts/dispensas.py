"""Row contract of `dispensas`: court orders, waivers and exemptions."""

from checks.extracts.columns import Contract, choice, date, identifier, text

CONTRACT = Contract(
    "dispensas",
    columns=(
        identifier("dispensa_id", required=True),
        identifier("verificacao"),
        choice("sujeito_tipo", "permissionario veiculo alvara condutor auto linha norma", required=True),
        identifier("sujeito_id", required=True),
        identifier("processo", required=True),
        text("autoridade", required=True),
        text("motivo", required=True),
        date("valida_de", required=True),
        date("valida_ate", required=True),
    ),
    key="dispensa_id",
)
