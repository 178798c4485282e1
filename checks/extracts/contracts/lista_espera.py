"""Row contract of `lista_espera`: who waits for a permit."""

from checks.extracts.columns import Contract, date, norm, text

CONTRACT = Contract(
    "lista_espera",
    columns=(
        norm(),
        text("nome", required=True),
        date("requerido_em", required=True),
    ),
)
