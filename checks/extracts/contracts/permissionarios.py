"""Row contract of `permissionarios`: who holds permits, once per norm."""

from checks.extracts.columns import Contract, choice, count, date, document, identifier, norm, text

CONTRACT = Contract(
    "permissionarios",
    columns=(
        identifier("permissionario_id", required=True),
        norm(),
        text("nome", required=True),
        choice("tipo_pessoa", "PF PJ", required=True),
        document("documento", required=True),
        text("email"),
        identifier("telefone"),
        text("endereco"),
        date("cadastrado_em"),
        date("cadastro_atualizado_em"),
        choice("situacao", "ativo suspenso cassado encerrado"),
        date("cassado_em"),
        date("encerrado_em"),
        count("catracas_reserva"),
    ),
    key="permissionario_id",
)
