"""What was composed enters the ledger: once per recipient, finding and step, whatever was there before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from notices.delivery import states as s
from notices.delivery.addresses import allowed, valid_address
from notices.delivery.eml import Sender, build_eml, message_id
from notices.delivery.ledger import Ledger
from notices.delivery.settings import SendingSettings
from notices.model import Item, Mensagem

BATCH = 250  # messages a transaction
KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


@dataclass
class Queued:
    """What a composition came to. `prontas`: keys to send; the rest are counts."""

    prontas: list[str] = field(default_factory=list)
    ja_contadas: int = 0
    substituidas: int = 0
    retidas: dict[str, int] = field(default_factory=dict)  # reason → messages

    def hold(self, motivo: str) -> None:
        """One more message that can't go, and why."""
        self.retidas[motivo] = self.retidas.get(motivo, 0) + 1


def run_id(tipo: str, as_of: date) -> str:
    """The name of a run of notices: `semanal-20261130`."""
    return f"{tipo}-{as_of:%Y%m%d}"


def enqueue(
    ledger: Ledger, tipo: str, as_of: date, mensagens: Iterable[Mensagem], de: Sender, settings: SendingSettings
) -> Queued:
    """Keep every message of one composition; at its end, what waited of the same kind and isn't in it is withdrawn.

    Safe to repeat at any point: the same composition changes nothing. Committed by batches. In a ledger in memory
    what has nowhere to go is kept too, to be looked at.
    """
    fila = Queued()
    rodada = run_id(tipo, as_of)
    with ledger.transaction():
        ledger.db.execute(
            "insert into rodada (rodada_id, tipo, as_of, criada_em, situacao) values (?, ?, ?, ?, 'aberta')"
            " on conflict do nothing",
            (rodada, tipo, as_of.isoformat(), ledger.stamp()),
        )
    vistas: set[str] = set()
    for lote in _batches(mensagens):
        with ledger.transaction():
            for mensagem in lote:
                vistas.add(mensagem.chave)
                _one(ledger, rodada, mensagem, de, settings, fila)
    with ledger.transaction():
        esperando = ledger.rows("select chave from mensagem where estado = ? and tipo = ?", s.PREPARADA, tipo)
        for (chave,) in esperando:
            if chave not in vistas:
                fila.substituidas += 1
                ledger.change(chave, (s.PREPARADA,), s.SUPRIMIDA, motivo=s.SEM_OBJETO, detalhe=s.SEM_OBJETO)
    return fila


def _batches(mensagens: Iterable[Mensagem]) -> Iterator[list[Mensagem]]:
    restantes = iter(mensagens)
    while lote := list(islice(restantes, BATCH)):
        yield lote


def _one(ledger: Ledger, rodada: str, mensagem: Mensagem, de: Sender, settings: SendingSettings, fila: Queued) -> None:
    if not KEY.fullmatch(mensagem.chave):
        raise ValueError("a message key may hold letters, digits, dot, hyphen and underscore alone")
    antes = ledger.one("select estado, endereco, rodada_id from mensagem where chave = ?", mensagem.chave)
    if antes and antes["estado"] in s.TOLD:
        fila.ja_contadas += 1
        return
    itens = [i for i in mensagem.itens if not _told(ledger, mensagem, i)]
    if mensagem.itens and not itens:
        fila.ja_contadas += 1
        return
    endereco, motivo = _destination(ledger, mensagem, settings)
    if antes and antes["estado"] == s.RECUSADA and antes["endereco"] == endereco:
        fila.hold("recusada antes pelo servidor")
        return
    if antes and antes["estado"] == s.PREPARADA and antes["endereco"] == endereco and not motivo:
        fila.prontas.append(mensagem.chave)
        return
    guardar = motivo is None or ledger.path is None
    sha = ledger.keep_eml(build_eml(mensagem, endereco, de, ledger.agora())) if guardar else None
    _write(ledger, rodada, mensagem, endereco, sha, de, motivo, antes["estado"] if antes else None)
    fila.substituidas += _take_over(ledger, mensagem, itens)
    if motivo:
        fila.hold(motivo)
    else:
        fila.prontas.append(mensagem.chave)


def _told(ledger: Ledger, mensagem: Mensagem, item: Item) -> bool:
    """Whether the recipient has, or may have, this step of this finding already."""
    return (
        ledger.one(
            "select 1 from entrega e join mensagem m using (chave) where e.destinatario_id = ? and achado_id = ?"
            " and reaberta = ? and degrau = ? and m.estado in ('enviando', 'enviada', 'incerta')",
            mensagem.destinatario_id,
            item.achado_id,
            item.reaberta,
            item.degrau,
        )
        is not None
    )


def _destination(ledger: Ledger, mensagem: Mensagem, settings: SendingSettings) -> tuple[str | None, str | None]:
    """Where it goes, and why it can't."""
    if not (mensagem.destinatario_email or "").strip():
        return None, s.SEM_ENDERECO
    endereco = valid_address(mensagem.destinatario_email)
    if endereco is None:
        return None, s.ENDERECO_INVALIDO
    if ledger.one("select 1 from endereco_ruim where endereco = ?", endereco):
        return endereco, s.ENDERECO_RECUSADO
    if not settings.producao and not allowed(endereco, settings.permitidos):
        return endereco, s.FORA_DA_LISTA
    return endereco, None


def _write(
    ledger: Ledger,
    rodada: str,
    mensagem: Mensagem,
    endereco: str | None,
    sha: str | None,
    de: Sender,
    motivo: str | None,
    antes: str | None,
) -> None:
    estado = s.SUPRIMIDA if motivo else s.PREPARADA
    ledger.db.execute(
        "insert into mensagem (chave, rodada_id, tipo, as_of, normas, destinatario_id, endereco, message_id,"
        " eml_sha256, estado, motivo, mudou_em) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " on conflict (chave) do update set rodada_id = excluded.rodada_id, endereco = excluded.endereco,"
        " eml_sha256 = excluded.eml_sha256, message_id = excluded.message_id, estado = excluded.estado,"
        " motivo = excluded.motivo, aprovada = 0, tentativas = 0, proxima_em = null, mudou_em = excluded.mudou_em",
        (
            mensagem.chave,
            rodada,
            mensagem.tipo,
            mensagem.as_of.isoformat(),
            json.dumps(mensagem.normas),
            mensagem.destinatario_id,
            endereco,
            message_id(mensagem.chave, de.endereco),
            sha,
            estado,
            motivo,
            ledger.stamp(),
        ),
    )
    if antes != estado:
        ledger.note(mensagem.chave, antes, estado, motivo)


def _take_over(ledger: Ledger, mensagem: Mensagem, itens: list[Item]) -> int:
    """Point the steps at this message; one that still waited with any of them is withdrawn. How many were."""
    retiradas = 0
    for item in itens:
        dono = ledger.one(
            "select m.chave, m.estado from entrega e join mensagem m using (chave)"
            " where e.destinatario_id = ? and achado_id = ? and reaberta = ? and degrau = ?",
            mensagem.destinatario_id,
            item.achado_id,
            item.reaberta,
            item.degrau,
        )
        if dono and dono["chave"] != mensagem.chave and dono["estado"] == s.PREPARADA:
            ledger.change(dono["chave"], (s.PREPARADA,), s.SUPRIMIDA, motivo=s.RECOMPOSTA, detalhe=mensagem.chave)
            retiradas += 1
        ledger.db.execute(
            "insert or replace into entrega values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                mensagem.destinatario_id,
                item.achado_id,
                item.reaberta,
                item.degrau,
                mensagem.chave,
                item.verificacao,
                item.norma,
                item.situacao,
                item.devido_em.isoformat() if item.devido_em else None,
                str(item.valor) if item.valor is not None else None,
            ),
        )
    return retiradas
