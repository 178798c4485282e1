"""The sections of the prontuario: one query each, its columns named as people read them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A title, a query (`$id`, `$as_of`, `$execucao`), what to say when empty, and a note."""

    titulo: str
    sql: str
    vazio: str
    nota: str | None = None
    so_se_houver: bool = False


SECTIONS = (
    Section(
        "Pendências",
        """
        select a.verificacao as "Verificação", a.situacao as "Situação", a.sujeito_tipo || ' ' || a.sujeito_id as "Sujeito",
               a.devido_em as "Agir até", a.valor as "Valor (R$)", case when a.situacao <> 'nao_avaliado' then a.consequencia end as "Consequência",
               a.competente as "Quem decide", a.dispositivo as "Dispositivo", a.aberta_em as "Vista desde", a.achado_id as "Achado"
        from achados a where a.permissionario_id = $id
        order by a.devido_em nulls last, a.verificacao, a.sujeito_id
        """,
        "Nada consta na última noite.",
    ),
    Section(
        "Atos e prazos",
        """
        select t.rotulo as "Ato", t.verificacao as "Fundamento", t.dispositivo as "Dispositivo", t.competente as "Quem decide",
               t.etapa as "Etapa", t.prazo_ate as "Prazo até", t.pronto as "Pronto", t.processo_id as "Processo"
        from atos t where t.permissionario_id = $id and (t.natureza <> 'aviso' or t.etapa = 'conferir_auto')
        order by t.gravidade desc, t.aberta_em, t.verificacao
        """,
        "Nenhum ato à espera.",
        "Nenhuma penalidade fica pronta antes de correr o prazo de defesa.",
    ),
    Section(
        "Pontos hoje",
        """
        select l.meses as "Janela (meses)", l.pontos as "Limite",
               coalesce(sum(a.pontos_contados) filter (a.conjunto = 1 and soma_meses(a.dia, l.meses, n.mes_sem_dia) >= $as_of), 0)::integer as "Pontos",
               l.pontos - coalesce(sum(a.pontos_contados) filter (a.conjunto = 1 and soma_meses(a.dia, l.meses, n.mes_sem_dia) >= $as_of), 0)::integer as "Faltam",
               coalesce(sum(a.pontos_contados) filter (a.conjunto = 2 and soma_meses(a.dia, l.meses, n.mes_sem_dia) >= $as_of), 0)::integer as "Com os em defesa",
               min(soma_meses(a.dia, l.meses, n.mes_sem_dia) + 1) filter (a.conjunto = 1 and soma_meses(a.dia, l.meses, n.mes_sem_dia) >= $as_of) as "Próximos caem em"
        from registro.permissionarios p
        join registro.normas n using (norma)
        join norma.pontuacao_limites l using (norma)
        left join prontuario_autos a on a.permissionario_id = p.permissionario_id
        where p.permissionario_id = $id
        group by l.meses, l.pontos order by l.meses
        """,
        "A norma não tem pontos.",
        "Janelas que terminam na data do prontuário; contam os autos confirmados.",
        so_se_houver=True,
    ),
    Section(
        "Como os pontos caem",
        """
        select a.dia as "Fato em", a.auto_id as "Auto", a.codigo as "Código", a.grupo as "Grupo", a.pontos_contados as "Pontos",
               case when a.dobrado then 'sim, por ' || a.anterior_auto else '' end as "Dobrado",
               soma_meses(a.dia, l.meses, n.mes_sem_dia) + 1 as "Cai da maior janela em"
        from prontuario_autos a
        join registro.normas n using (norma)
        join (select norma, max(meses) as meses from norma.pontuacao_limites group by norma) l using (norma)
        where a.permissionario_id = $id and a.conjunto = 1 and soma_meses(a.dia, l.meses, n.mes_sem_dia) >= $as_of
        order by a.dia, a.auto_id
        """,
        "Nenhum ponto em conta.",
        so_se_houver=True,
    ),
    Section(
        "Alvarás e permissões",
        """
        select alvara_id as "Título", modalidade as "Modalidade", veiculo_id as "Veículo", linha_id as "Linha", emitido_em as "Emitido em",
               nullif(fim, 'infinity'::date) as "Fim", case when fim = 'infinity'::date then 'prazo indeterminado' when falta_fim is not null then 'fim desconhecido'
                    when situacao = 'vigente' and fim < $as_of then 'vencido' else situacao end as "Situação",
               renovacao_requerida_em as "Renovação pedida em"
        from registro.alvaras where permissionario_id = $id order by emitido_em desc, alvara_id
        """,
        "Nenhum título emitido.",
    ),
    Section(
        "Veículos",
        """
        with vistorias as (
            select veiculo_id, max(realizada_em) filter (resultado = 'aprovada') as aprovada from registro.vistorias group by veiculo_id
        )
        select v.veiculo_id as "Veículo", v.placa as "Placa", v.tipo as "Tipo", v.ano_fabricacao as "Ano", v.funcao as "Função",
               l.limite as "Idade até", v.licenciamento_vence_em as "Licenciamento até", v.seguro_vence_em as "Seguro até",
               x.aprovada as "Última vistoria aprovada", v.baixado_em as "Baixado em"
        from registro.veiculos v
        left join fatos.limite_idade l using (veiculo_id)
        left join vistorias x using (veiculo_id)
        where v.permissionario_id = $id order by v.baixado_em nulls first, v.veiculo_id
        """,
        "Nenhum veículo cadastrado.",
    ),
    Section(
        "Condutores e pessoal",
        """
        select condutor_id as "Cadastro", nome as "Nome", funcao as "Função", veiculo_id as "Veículo", matricula_situacao as "Matrícula",
               suspenso_ate as "Suspenso até", cnh_categoria as "CNH", cnh_valida_ate as "CNH até", desligado_em as "Desligado em"
        from registro.condutores where permissionario_id = $id order by desligado_em nulls first, nome, condutor_id
        """,
        "Ninguém cadastrado.",
    ),
    Section(
        "Vistorias",
        """
        select x.vistoria_id as "Vistoria", x.veiculo_id as "Veículo", x.programada_para as "Marcada para", x.realizada_em as "Realizada em",
               x.resultado as "Resultado", x.corrigida_em as "Corrigida em"
        from registro.vistorias x where x.permissionario_id = $id order by coalesce(x.realizada_em, x.programada_para) desc, x.vistoria_id
        limit 60
        """,
        "Nenhuma vistoria.",
        "As sessenta mais novas.",
    ),
    Section(
        "Autos de infração",
        """
        select f.auto_id as "Auto", f.ocorrido_em as "Fato em", f.codigo as "Código", i.descricao as "Infração",
               case when f.estado_auto <> 'em_defesa' then f.estado_auto
                    when f.defesa_em is null and f.decisao is null and f.fim_defesa >= $as_of
                        then 'no prazo de defesa até ' || strftime(f.fim_defesa, '%d/%m/%Y')
                    when f.recurso_tempestivo and f.decisao_recurso is null then 'em recurso'
                    else f.estado_auto end as "Estado",
               f.ciencia_em as "Ciência em", f.fim_defesa as "Defesa até", f.devido_em as "Pagar até", f.valor as "Valor (R$)",
               case when f.pago then 'pago' when f.estado_auto = 'cancelado' then '' else 'em aberto' end as "Pagamento"
        from fatos.autos f
        left join norma.infracoes i on i.norma = f.norma and i.codigo = f.codigo and f.ocorrido_em::date >= coalesce(i.vigente_de, '-infinity'::date)
            and f.ocorrido_em::date <= coalesce(i.vigente_ate, 'infinity'::date)
        where f.permissionario_id = $id order by f.ocorrido_em desc, f.auto_id
        """,
        "Nenhum auto.",
    ),
    Section(
        "Processos",
        """
        select processo_id as "Processo", ato as "Ato", fundamento as "Fundamento", instaurado_em as "Instaurado em", ciencia_em as "Ciência em",
               defesa_em as "Defesa em", decisao as "Decisão", decisao_em as "Decidido em", recurso_em as "Recurso em", decisao_recurso as "Recurso"
        from registro.processos where permissionario_id = $id order by instaurado_em desc, processo_id
        """,
        "Nenhum processo.",
    ),
    Section(
        "O que se resolveu",
        """
        select e.verificacao as "Verificação", e.sujeito_tipo || ' ' || e.sujeito_id as "Sujeito", e.situacao as "Era",
               e.visto_em as "Visto até", e.encerrado_em as "Encerrado em", e.causa as "Causa"
        from encerrados_historico e join execucao_vigente v using (execucao_id)
        where e.permissionario_id = $id order by e.encerrado_em desc, e.verificacao, e.sujeito_id limit 60
        """,
        "Nada se encerrou até aqui.",
    ),
)
