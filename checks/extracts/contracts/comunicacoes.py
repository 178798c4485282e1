"""Row contract of `comunicacoes`: facts the operator had to communicate."""

from checks.extracts.columns import Contract, choice, identifier, instant

CONTRACT = Contract(
    "comunicacoes",
    columns=(
        identifier("permissionario_id", required=True),
        choice(
            "tipo",
            "acidente endereco baixa_de_veiculo alteracao_social substituicao_de_veiculo viagem_especial interrupcao",
            required=True,
        ),
        instant("ocorrido_em", required=True),
        instant("comunicado_em"),
        identifier("veiculo_id"),
    ),
)
