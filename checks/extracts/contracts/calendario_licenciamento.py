"""Row contract of `calendario_licenciamento`: the licensing calendar by final digit of the plate."""

from checks.extracts.columns import Contract, choice, date, state, year

CONTRACT = Contract(
    "calendario_licenciamento",
    columns=(
        state(required=True),
        year("exercicio", required=True),
        choice("final_placa", "0 1 2 3 4 5 6 7 8 9", required=True),
        date("vence_em", required=True),
    ),
)
