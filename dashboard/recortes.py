"""The lists of the dashboard: which findings each holds, what it counts by, and the columns of its table.

A list's condition is ours, never the reader's; conditions on `a` alone also hold over the counts per night.
"""

from __future__ import annotations

from dataclasses import dataclass

OPEN = "a.situacao in ('violacao', 'para_decisao')"


@dataclass(frozen=True)
class Coluna:
    """One column of a table. `tipo`: texto, data, inteiro, dinheiro, sim_nao, or the kind of words of `rotulos`."""

    id: str
    rotulo: str
    sql: str
    tipo: str = "texto"


@dataclass(frozen=True)
class Recorte:
    """One list. `titulo` names it, `texto` says in a sentence what is in it and what is not."""

    id: str
    titulo: str
    texto: str
    onde: str
    facetas: tuple[str, ...]
    colunas: tuple[str, ...]
    ordem: str
    desc: bool = False
    tabela: str = "achados"
    #: The weekly trend can be told from the counts per night.
    tendencia: bool = True
    valor: bool = False


COLUNAS = {
    c.id: c
    for c in (
        Coluna("nome", "Permissionário", "p.nome"),
        Coluna("permissionario_id", "Nº do permissionário", "a.permissionario_id"),
        Coluna("norma", "Norma", "a.norma"),
        Coluna("verificacao", "Fundamento", "a.verificacao", "verificacao"),
        Coluna("dispositivo", "Dispositivo", "a.dispositivo"),
        Coluna("situacao", "Situação", "a.situacao", "situacao"),
        Coluna("consequencia", "Ato", "a.consequencia", "consequencia"),
        Coluna("etapa", "Etapa", "n.etapa", "etapa"),
        Coluna("competente", "Quem decide", "a.competente"),
        Coluna("prazo_ate", "Prazo até", "n.prazo_ate", "data"),
        Coluna("pronto", "Pronto", "n.pronto", "sim_nao"),
        Coluna("processo_id", "Processo", "n.processo_id"),
        Coluna("aberta_em", "Aberta em", "a.aberta_em", "data"),
        Coluna("idade", "Aberta há (dias)", "($as_of - a.aberta_em)", "inteiro"),
        Coluna("devido_em", "Último dia em tempo", "a.devido_em", "data"),
        Coluna("dias", "Dias desde então", "a.dias", "inteiro"),
        Coluna("faltam", "Faltam (dias)", "(a.devido_em - $as_of)", "inteiro"),
        Coluna("sujeito_tipo", "Sujeito", "a.sujeito_tipo", "sujeito"),
        Coluna("sujeito_id", "Nº do sujeito", "a.sujeito_id"),
        Coluna("placa", "Placa", "v.placa"),
        Coluna("linha", "Linha", "coalesce(lv.linha_id, lp.linha_id)"),
        Coluna("valor", "Valor (R$)", "a.valor", "dinheiro"),
        Coluna("estado", "Estado", "a.estado", "estado"),
        Coluna("reaberta", "Reaberturas", "a.reaberta", "inteiro"),
        Coluna("causa", "Causa", "a.causa", "causa"),
        Coluna("encerrado_em", "Encerrado em", "a.encerrado_em", "data"),
        Coluna("falta", "O que falta", "array_to_string(from_json(a.evidencia->'$.falta', '[\"varchar\"]'), ', ')"),
        Coluna("achado_id", "Achado", "a.achado_id"),
    )
}
#: What a spreadsheet always carries, after the columns of the page: enough to find each row in achados.
EXPORTED = (
    "achado_id", "norma", "verificacao", "dispositivo", "situacao", "sujeito_tipo", "sujeito_id", "permissionario_id",
    "devido_em", "dias", "consequencia", "competente", "valor", "estado", "aberta_em", "reaberta",
)  # fmt: skip

RECORTES = {
    r.id: r
    for r in (
        Recorte(
            "cassacoes",
            "Cassações pendentes",
            "Achados provados ou à espera de decisão cuja consequência é a cassação. Os que ainda podem ser evitados "
            "estão em «Cassações previstas»; os já decididos em definitivo ficam aqui, nessa etapa, até a execução.",
            f"a.consequencia = 'cassacao' and {OPEN}",
            ("norma", "verificacao", "etapa", "competente", "idade", "atraso", "situacao"),
            ("nome", "norma", "verificacao", "etapa", "competente", "prazo_ate", "aberta_em", "idade", "devido_em"),
            "aberta_em",
        ),
        Recorte(
            "previstas",
            "Cassações previstas",
            "Cassações que virão se ninguém agir, ou se os autos em defesa forem confirmados.",
            "a.consequencia = 'cassacao' and a.situacao = 'a_vencer'",
            ("norma", "verificacao", "prazo"),
            ("nome", "norma", "verificacao", "devido_em", "faltam", "aberta_em"),
            "devido_em",
        ),
        Recorte(
            "a_vencer",
            "A vencer",
            "O que passa a ser irregular se ninguém agir, pelo último dia em tempo. Cada verificação avisa com a sua "
            "antecedência (em geral 30 dias): para olhar mais longe, use emdia forecast.",
            "a.situacao = 'a_vencer' and a.devido_em >= $as_of",
            ("prazo", "norma", "verificacao", "consequencia"),
            ("nome", "norma", "verificacao", "consequencia", "sujeito_tipo", "sujeito_id", "devido_em", "faltam"),
            "devido_em",
            tendencia=False,
        ),
        Recorte(
            "suspensoes",
            "Suspensões",
            "Suspensões do permissionário e da matrícula do pessoal, provadas ou à espera de decisão; as já decididas "
            "em definitivo ficam aqui, nessa etapa, até a execução.",
            f"a.consequencia in ('suspensao', 'suspensao_matricula') and {OPEN}",
            ("consequencia", "norma", "verificacao", "etapa", "competente", "idade"),
            ("nome", "norma", "verificacao", "consequencia", "etapa", "competente", "aberta_em", "idade"),
            "aberta_em",
        ),
        Recorte(
            "alvaras",
            "Alvarás e permissões vencidos",
            "Títulos que passaram do fim sem renovação.",
            f"a.verificacao = 'alvara_vencido' and {OPEN}",
            ("norma", "consequencia", "atraso", "etapa"),
            ("nome", "norma", "sujeito_id", "consequencia", "devido_em", "dias", "aberta_em"),
            "devido_em",
        ),
        Recorte(
            "multas",
            "Multas vencidas",
            "Autos confirmados e não pagos depois do vencimento; o valor é o que ainda se deve.",
            f"a.verificacao = 'multa_vencida' and {OPEN}",
            ("norma", "atraso", "consequencia", "competente"),
            ("nome", "norma", "sujeito_id", "valor", "devido_em", "dias", "aberta_em"),
            "valor",
            desc=True,
            valor=True,
        ),
        Recorte(
            "frota",
            "Veículos acima da idade",
            "Veículos além do limite de idade da norma. Onde o alvará não nomeia o veículo, a linha é a única do "
            "permissionário; tendo ele mais de uma, não é dita.",
            f"a.verificacao = 'veiculo_acima_da_idade' and {OPEN}",
            ("norma", "linha", "atraso", "situacao"),
            ("nome", "norma", "linha", "placa", "sujeito_id", "situacao", "devido_em", "dias"),
            "devido_em",
        ),
        Recorte(
            "nao_avaliados",
            "Não avaliados",
            "O que não se pôde julgar por falta de dado ou de parâmetro. Não quer dizer regular.",
            "a.situacao = 'nao_avaliado'",
            ("falta", "norma", "verificacao", "consequencia"),
            ("nome", "norma", "verificacao", "consequencia", "sujeito_tipo", "sujeito_id", "falta", "aberta_em"),
            "verificacao",
        ),
        Recorte(
            "todos",
            "Todos os achados",
            "Tudo o que a última noite publicou.",
            "true",
            ("situacao", "norma", "verificacao", "consequencia", "etapa", "competente", "idade", "estado"),
            ("nome", "norma", "verificacao", "situacao", "consequencia", "etapa", "sujeito_tipo", "sujeito_id",
             "devido_em", "valor"),
            "verificacao",
            valor=True,
        ),
        Recorte(
            "encerrados",
            "Encerrados",
            "Achados que estavam abertos numa noite e não estão mais, e por quê. Só «regularizado» é boa notícia.",
            "true",
            ("causa", "encerrado", "norma", "verificacao", "consequencia"),
            ("nome", "norma", "verificacao", "consequencia", "sujeito_tipo", "sujeito_id", "causa", "encerrado_em"),
            "encerrado_em",
            desc=True,
            tabela="encerrados",
            tendencia=False,
        ),
    )
}  # fmt: skip
