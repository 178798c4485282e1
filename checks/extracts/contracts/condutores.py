"""Row contract of `condutores`: drivers and crew."""

from checks.extracts.columns import Contract, birth, boolean, choice, date, document, identifier, text, upper

CONTRACT = Contract(
    "condutores",
    columns=(
        identifier("condutor_id", required=True),
        identifier("permissionario_id", required=True),
        text("nome", required=True),
        choice("funcao", "motorista cobrador despachante fiscal preposto", required=True),
        document("documento"),
        identifier("veiculo_id"),
        birth("nascido_em"),
        boolean("residente"),
        upper("cnh_categoria"),
        date("cnh_valida_ate"),
        boolean("cnh_restricao"),
        choice("matricula_situacao", "ativa suspensa cassada"),
        date("suspenso_em"),
        date("suspenso_ate"),
        date("cadastrado_em"),
        date("desligado_em"),
    ),
    key="condutor_id",
)
