"""Row contract of `feriados`: holidays that add to the built-in calendar."""

from checks.extracts.columns import Contract, RequiredWhen, choice, date, state, text

CONTRACT = Contract(
    "feriados",
    columns=(
        date("data", required=True),
        text("nome", required=True),
        choice("escopo", "nacional estadual municipal ponto_facultativo", required=True),
        state(),
        text("municipio"),
    ),
    required_when=(
        RequiredWhen("uf", "escopo", "estadual"),
        RequiredWhen("municipio", "escopo", "municipal"),
    ),
)
