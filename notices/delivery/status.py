"""How the deliveries stand: for the terminal, and as plain values."""

from __future__ import annotations

import email
import email.policy
from dataclasses import asdict, dataclass
from typing import Any

from notices.delivery.ledger import Ledger
from notices.delivery.run import Report
from notices.delivery.sending import Sent


@dataclass(frozen=True)
class Status:
    """Runs (last ones first) with counts by state, what waits for a person, what is paused."""

    rodadas: list[dict[str, Any]]
    incertas: list[dict[str, Any]]
    adiadas: list[dict[str, Any]]
    enderecos: list[dict[str, Any]]
    pausas: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


#: Of a warehouse from which nothing was ever sent.
NOTHING = Status([], [], [], [], [])


def read_status(ledger: Ledger, rodadas: int = 10) -> Status:
    """The last `rodadas` runs and everything that waits."""

    def tabela(sql: str, *valores: Any) -> list[dict[str, Any]]:
        return [dict(linha) for linha in ledger.rows(sql, *valores)]

    return Status(
        tabela(
            "select r.rodada_id, r.tipo, r.as_of, r.situacao, r.motivos,"
            + ", ".join(
                f"coalesce(sum(m.estado = '{e}'), 0) as {e}"
                for e in ("preparada", "enviando", "enviada", "recusada", "incerta", "suprimida")
            )
            + " from rodada r left join mensagem m using (rodada_id) group by r.rodada_id"
            " order by r.as_of desc, r.criada_em desc limit ?",
            rodadas,
        ),
        tabela(
            "select chave, destinatario_id, endereco, message_id, mudou_em from mensagem where estado = 'incerta'"
            " order by n"
        ),
        tabela(
            "select chave, destinatario_id, tentativas, proxima_em, codigo, resposta from mensagem"
            " where estado = 'preparada' and tentativas > 0 order by n"
        ),
        tabela(
            "select m.destinatario_id, m.endereco, coalesce(r.codigo || ' ' || r.resposta, m.motivo) as motivo"
            " from mensagem m left join endereco_ruim r on r.endereco = m.endereco"
            " where m.estado in ('suprimida', 'recusada')"
            " and (m.motivo in ('sem endereço', 'endereço inválido', 'endereço recusado antes')"
            " or r.endereco is not null)"
            " and m.n = (select max(n) from mensagem u where u.destinatario_id = m.destinatario_id) order by 1"
        ),
        tabela("select norma, desde, por, motivo from pausa order by norma"),
    )


def render_status(status: Status) -> list[str]:
    """Lines for the terminal."""
    linhas = ["Rodadas de avisos" if status.rodadas else "Nenhum aviso foi enviado ainda."]
    for r in status.rodadas:
        contas = ", ".join(
            f"{r[e]} {nome}"
            for e, nome in (
                ("enviada", "enviadas"),
                ("preparada", "a enviar"),
                ("enviando", "em envio"),
                ("recusada", "recusadas"),
                ("incerta", "incertas"),
                ("suprimida", "não enviadas"),
            )
            if r[e]
        )
        linhas.append(f"  {r['rodada_id']}: {contas or 'nada a enviar'}")
        if r["situacao"] == "aguarda":
            linhas += [f"    aguarda decisão: {m}" for m in r["motivos"].splitlines()]
            linhas.append(
                f"    emdia notify approve {r['rodada_id']} --send   ou   emdia notify reject {r['rodada_id']}"
            )
    if status.incertas:
        linhas += ["", "Incertas: podem ter chegado. Confira com o servidor ou com a pessoa e decida"]
        linhas.append("  (emdia notify resolve CHAVE --chegou, ou --reenviar)")
        linhas += [f"  {m['chave']}  {m['destinatario_id']}  desde {m['mudou_em'][:16]}" for m in status.incertas]
    if status.adiadas:
        linhas += ["", "Adiadas pelo servidor; serão tentadas de novo no próximo envio"]
        linhas += [
            f"  {m['chave']}  {m['destinatario_id']}  {m['tentativas']} vez(es)  {m['codigo'] or ''} {m['resposta']}"
            for m in status.adiadas
        ]
    if status.enderecos:
        linhas += ["", "Endereços a corrigir no cadastro"]
        linhas += [f"  {e['destinatario_id']}  {e['endereco'] or '—'}  {e['motivo']}" for e in status.enderecos]
    if status.pausas:
        linhas += ["", "Pausadas"]
        linhas += [
            f"  {'todas' if p['norma'] == '*' else p['norma']}  desde {p['desde'][:16]}, por {p['por']}: {p['motivo']}"
            for p in status.pausas
        ]
    return linhas


def render_report(report: Report) -> list[str]:
    """What a run did, or would do, for the terminal."""
    fila = report.fila
    linhas = [f"Avisos {report.rodada} (dados de {report.as_of:%d/%m/%Y})", f"  mensagens: {len(fila.prontas)}"]
    if fila.ja_contadas:
        linhas.append(f"  já enviadas antes: {fila.ja_contadas}")
    if fila.substituidas:
        linhas.append(f"  preparadas antes e substituídas: {fila.substituidas}")
    linhas += [f"  não enviadas, {motivo}: {n}" for motivo, n in sorted(fila.retidas.items())]
    if n := report.achados_retidos:
        quantos = "1 achado não é cobrado" if n == 1 else f"{n} achados não são cobrados"
        linhas.append(f"  {quantos} até se conferir uma linha rejeitada ou uma dispensa: veja ressalvas.csv")
    if report.interrompidas:
        linhas.append(f"  incertas, de um envio interrompido: {report.interrompidas} (emdia notify status)")
    for titulo, feito in (("pendentes de antes", report.pendentes), ("desta rodada", report.enviado)):
        if feito and (feito != Sent() or titulo == "desta rodada"):
            linhas.append(f"  {titulo}: " + "; ".join(sent_words(feito)))
    if report.motivos:
        linhas += ["", "Alguém precisa olhar antes do envio:" if report.pendentes else "Com --send, o envio pararia:"]
        linhas += [f"  - {m}" for m in report.motivos]
        if report.pendentes:
            linhas.append(f"  emdia notify approve {report.rodada} --send   ou   emdia notify reject {report.rodada}")
    if report.parada:
        linhas += ["", f"O envio parou: {report.parada}"]
    if report.caixa:
        linhas += ["", f"Nada foi enviado. As mensagens estão em {report.caixa} (arquivos .eml); --send envia."]
    return linhas


def sent_words(feito: Sent) -> list[str]:
    """Counts in words."""
    partes = [f"{feito.enviadas} enviadas"]
    for n, nome in (
        (feito.recusadas, "recusadas"),
        (feito.incertas, "incertas (emdia notify status)"),
        (feito.adiadas, "adiadas"),
        (feito.retiradas, "retiradas porque a situação mudou"),
        (feito.pausadas, "em pausa"),
    ):
        if n:
            partes.append(f"{n} {nome}")
    return partes


def report_as_dict(report: Report) -> dict[str, Any]:
    """Plain values of a run's report, without the sample."""
    dados = asdict(report)
    del dados["amostra"]
    dados["fila"]["prontas"] = len(report.fila.prontas)
    return dados | {"codigo_saida": report.codigo_saida}


def sample_text(eml: bytes) -> str:
    """One message as a person reads it in a terminal: headers and plain text."""
    mensagem = email.message_from_bytes(eml, policy=email.policy.default)
    corpo = mensagem.get_body(("plain",))
    cabecalho = [f"{nome}: {_visible(str(mensagem[nome]))}" for nome in ("From", "To", "Subject") if mensagem[nome]]
    anexos = [f"[anexo: {a.get_filename()}]" for a in mensagem.iter_attachments()]
    texto = corpo.get_content() if corpo is not None else ""
    return "\n".join([*cabecalho, "", *map(_visible, texto.rstrip().splitlines()), *anexos])


def _visible(linha: str) -> str:
    """No control or direction character reaches the terminal."""
    return "".join(c if c.isprintable() else " " for c in linha)


def render_proof(ledger: Ledger, chave: str) -> list[str]:
    """Everything that happened to one message."""
    m = ledger.message(chave)
    linhas = [
        f"{chave}: {m['estado']}" + (f" ({m['motivo']})" if m["motivo"] else ""),
        f"  destinatário: {m['destinatario_id']}  {m['endereco'] or 'sem endereço'}",
        f"  Message-ID: {m['message_id']}",
        f"  SHA-256 da cópia: {m['eml_sha256'] or 'não há cópia'}",
        f"  resposta do servidor: {m['codigo'] or '—'} {m['resposta'] or ''}".rstrip(),
        "  achados:",
    ]
    linhas += [
        f"    {e['achado_id']}  {e['degrau']}  {e['verificacao']}  {e['norma']}  {e['situacao']}"
        for e in ledger.rows("select * from entrega where chave = ? order by achado_id, degrau", chave)
    ]
    linhas.append("  o que houve:")
    linhas += [
        f"    {e['em']}  {e['de'] or ''} → {e['para']}" + (f"  {e['detalhe']}" if e["detalhe"] else "")
        for e in ledger.rows("select * from evento where chave = ? order by evento_id", chave)
    ]
    return linhas
