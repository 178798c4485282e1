"""Row contract of `operacao`: what each vehicle ran on each day."""

from checks.extracts.columns import Contract, count, date, identifier, plate

CONTRACT = Contract(
    "operacao",
    columns=(
        date("data", required=True),
        identifier("veiculo_id"),
        plate(),
        count("viagens_programadas"),
        count("viagens_realizadas"),
        count("lotacao_maxima"),
        identifier("condutor_id"),
    ),
    any_of=("veiculo_id", "placa"),
)
