"""Row contract of `alvaras`: the permits issued."""

from checks.extracts.columns import Contract, boolean, choice, date, identifier

CONTRACT = Contract(
    "alvaras",
    columns=(
        identifier("alvara_id", required=True),
        identifier("permissionario_id", required=True),
        date("emitido_em", required=True),
        choice(
            "modalidade",
            "alvara permissao concessao autorizacao permissao_emergencial autorizacao_especial",
            required=True,
        ),
        identifier("veiculo_id"),
        identifier("linha_id"),
        date("valido_ate"),
        choice("situacao", "vigente suspenso interrompido cassado cancelado encerrado"),
        date("renovacao_requerida_em"),
        date("interrompido_em"),
        date("interrupcao_ate"),
        boolean("interrupcao_justificada"),
        date("encerrado_em"),
        date("ordem_operacao_em"),
        date("operacao_iniciada_em"),
    ),
    key="alvara_id",
)
