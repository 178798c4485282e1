"""Row contract of `linhas`: the lines of each norm."""

from checks.extracts.columns import Contract, choice, count, date, identifier, norm, text

CONTRACT = Contract(
    "linhas",
    columns=(
        identifier("linha_id", required=True),
        norm(),
        text("nome", required=True),
        choice("categoria", "comum experimental extraordinaria especial"),
        date("iniciada_em"),
        count("frota_exigida"),
    ),
    key="linha_id",
)
