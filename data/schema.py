"""Columns of the tables of schema `norma`, in order."""

from __future__ import annotations

TEXTO, INTEIRO, DATA, VALOR, LISTA, LOGICO = (
    "VARCHAR",
    "INTEGER",
    "DATE",
    "DECIMAL(18,4)",
    "VARCHAR[]",
    "BOOLEAN",
)


def _columns(texto: str = "", **outras: str) -> dict[str, str]:
    return {"norma": TEXTO, **dict.fromkeys(texto.split(), TEXTO), **outras}


#: Table → column → DuckDB type. `leitura` is filled where the row is a reading and not the letter of the law.
COLUNAS: dict[str, dict[str, str]] = {
    "normas": _columns("nome apelido municipio uf orgao mes_sem_dia", vigente_de=DATA, hash=TEXTO),
    "outorgas": _columns("modalidade", quantidade=INTEIRO, unidade=TEXTO, dispositivo=TEXTO, leitura=TEXTO),
    "processo": _columns(
        "dispositivo",
        defesa_dias=INTEIRO,
        defesa_dias_uteis=INTEIRO,
        decisao_dias=INTEIRO,
        decisao_dias_uteis=INTEIRO,
        recurso_dias=INTEIRO,
        recurso_dias_uteis=INTEIRO,
        recurso_suspensivo=LOGICO,
        transito_dias=INTEIRO,
        exige_vence_em=LOGICO,
        leitura=TEXTO,
    ),
    "idade_maxima": _columns(
        "dispositivo",
        ordem=INTEIRO,
        servicos=LISTA,
        servicos_exceto=LISTA,
        lugares_min=INTEIRO,
        lugares_max=INTEIRO,
        tracao_exceto=LISTA,
        anos=INTEIRO,
        conta_de=LISTA,
        vencida=TEXTO,
        consequencia=TEXTO,
        competente=TEXTO,
        leitura=TEXTO,
    ),
    "pontuacao": _columns(
        "dispositivo",
        reincidencia_meses=INTEIRO,
        reincidencia_fator=INTEIRO,
        ato_que_zera=TEXTO,
        leitura=TEXTO,
    ),
    "pontuacao_limites": _columns(meses=INTEIRO, pontos=INTEIRO),
    "infracoes": _columns(
        "codigo dispositivo descricao grupo unidade",
        valor=VALOR,
        pontos=INTEIRO,
        sujeito=TEXTO,
        legivel=TEXTO,
        vigente_de=DATA,
        vigente_ate=DATA,
        observacao=TEXTO,
    ),
    "conflitos": _columns(
        "conduta codigo_artigo grupo_artigo",
        valor_artigo=VALOR,
        codigo_anexo=TEXTO,
        grupo_anexo=TEXTO,
        valor_anexo=VALOR,
        situacao=TEXTO,
        grupo_adotado=TEXTO,
        valor_adotado=VALOR,
        leitura=TEXTO,
        alternativa=TEXTO,
    ),
    "taxas": _columns(
        "dispositivo codigo natureza descricao categoria momento",
        valor=VALOR,
        unidade=TEXTO,
        vigente_de=DATA,
        observacao=TEXTO,
    ),
    "autoridades": _columns("ato autoridade dispositivo observacao papel"),
    "etapas": _columns(
        ordem=INTEIRO,
        etapa=TEXTO,
        regra=TEXTO,
        prazo=TEXTO,
        unidade=TEXTO,
        inicio=TEXTO,
        efeito_suspensivo=TEXTO,
        efeito_do_silencio=TEXTO,
        dispositivo=TEXTO,
        observacao=TEXTO,
    ),
    "prazos": _columns(
        "dispositivo objeto duracao unidade inicio prorrogacao prazo_para_pedir efeito_do_vencimento observacao"
    ),
    "verificacoes": _columns(
        "verificacao familia dispositivo consequencia competente",
        aviso_dias=INTEIRO,
        leitura=TEXTO,
        alternativa=TEXTO,
    ),
    "regularizar": _columns("verificacao texto a_vencer"),
    "leituras": _columns("tabela chave dispositivo leitura alternativa"),
    "ajustes": _columns(
        "tabela verificacao chave parametro valor", vigente_de=DATA, vigente_ate=DATA, ato=TEXTO, motivo=TEXTO
    ),
}
