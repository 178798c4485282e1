"""Row contract of `autos`: infraction notices and their process."""

from checks.extracts.columns import Contract, choice, date, identifier, instant, money, plate, text

CONTRACT = Contract(
    "autos",
    columns=(
        identifier("auto_id", required=True),
        identifier("permissionario_id", required=True),
        identifier("codigo", required=True),
        instant("ocorrido_em", required=True),
        identifier("veiculo_id"),
        plate(),
        identifier("condutor_id"),
        identifier("linha_id"),
        text("local"),
        text("agente"),
        text("descricao"),
        date("lavrado_em"),
        date("ciencia_em"),
        money("valor"),
        date("vence_em"),
        date("defesa_em"),
        choice("decisao", "procedente improcedente parcial"),
        date("decisao_em"),
        date("ciencia_decisao_em"),
        money("valor_decidido"),
        date("recurso_em"),
        choice("decisao_recurso", "provido negado"),
        date("decisao_recurso_em"),
        date("ciencia_recurso_em"),
        date("pago_em"),
        money("valor_pago"),
        choice("situacao", "ativo cancelado"),
        date("cancelado_em"),
    ),
    key="auto_id",
)
