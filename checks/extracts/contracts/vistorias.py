"""Row contract of `vistorias`: vehicle inspections."""

from checks.extracts.columns import Contract, choice, date, identifier, plate, text

CONTRACT = Contract(
    "vistorias",
    columns=(
        identifier("vistoria_id", required=True),
        identifier("veiculo_id"),
        plate(),
        date("convocada_em"),
        date("programada_para"),
        date("realizada_em"),
        choice("resultado", "aprovada reprovada ausente"),
        date("ciencia_em"),
        date("corrigida_em"),
        text("itens"),
    ),
    key="vistoria_id",
    any_of=("veiculo_id", "placa"),
)
