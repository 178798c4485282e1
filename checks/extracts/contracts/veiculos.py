"""Row contract of `veiculos`: the registered vehicles."""

from checks.extracts.columns import Contract, choice, count, date, document, identifier, plate, year

CONTRACT = Contract(
    "veiculos",
    columns=(
        identifier("veiculo_id", required=True),
        identifier("permissionario_id", required=True),
        plate(required=True),
        choice(
            "tipo",
            "onibus onibus_urbano onibus_rodoviario onibus_misto micro_onibus "
            "van kombi motocicleta veiculo_medio_porte outro",
            required=True,
        ),
        year("ano_fabricacao", required=True),
        choice("servico", "urbano rodoviario municipal industrial especial escolar individual turistico"),
        date("nota_fiscal_em"),
        date("primeiro_uso_em"),
        count("lugares"),
        count("cilindradas"),
        choice("tracao", "combustao eletrica via_fixa"),
        identifier("renavam"),
        identifier("chassi"),
        identifier("numero_ordem"),
        document("proprietario_documento"),
        date("licenciamento_vence_em"),
        year("crlv_exercicio"),
        date("seguro_vence_em"),
        choice("funcao", "operacao reserva"),
        date("cadastrado_em"),
        date("cadastro_atualizado_em"),
        date("baixado_em"),
        identifier("substitui_veiculo_id"),
        choice("motivo_substituicao", "idade roubo perda_total outro"),
        date("declaracao_substituicao_em"),
    ),
    key="veiculo_id",
)
