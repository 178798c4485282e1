"""Row contract of `valores_referencia`: dated values of the reference units."""

from checks.extracts.columns import Contract, date, index, upper

CONTRACT = Contract(
    "valores_referencia",
    columns=(
        upper("unidade", required=True),
        date("vigente_desde", required=True),
        index("valor", required=True),
    ),
)
