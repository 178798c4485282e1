"""Row contract of `municipios`: population of each municipality."""

from checks.extracts.columns import Contract, count, state, text, year

CONTRACT = Contract(
    "municipios",
    columns=(
        text("municipio", required=True),
        state(required=True),
        count("populacao", required=True),
        year("referencia", required=True),
    ),
)
