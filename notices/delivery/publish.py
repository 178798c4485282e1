"""The copy of the ledger that readers open: `<stem>.entregas.publicado.duckdb`, without addresses or messages."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from notices.delivery.ledger import Ledger

log = logging.getLogger("emdia.avisos")

TABLES = {
    "rodadas": (
        "select rodada_id, tipo, as_of, criada_em, situacao, motivos, decidida_em from rodada",
        "rodada_id, tipo, as_of::date as as_of, criada_em::timestamptz as criada_em, situacao, motivos,"
        " decidida_em::timestamptz as decidida_em",
    ),
    "mensagens": (
        "select chave, rodada_id, tipo, as_of, normas, destinatario_id, message_id, eml_sha256, estado, motivo,"
        " aprovada, tentativas, codigo, resposta, mudou_em from mensagem",
        "* replace (as_of::date as as_of, mudou_em::timestamptz as mudou_em, aprovada = 1 as aprovada)",
    ),
    "entregas": (
        "select e.destinatario_id, achado_id, reaberta, degrau, estado, motivo, tipo, m.as_of, mudou_em, e.chave,"
        " verificacao, norma, situacao, devido_em, valor from entrega e join mensagem m using (chave)",
        "* replace (as_of::date as as_of, mudou_em::timestamptz as mudou_em, devido_em::date as devido_em,"
        " valor::decimal(18, 2) as valor)",
    ),
    "enderecos_a_corrigir": (
        "select destinatario_id, max(motivo) as motivo, max(codigo) as codigo from mensagem m where estado in"
        " ('suprimida', 'recusada') and (motivo like '%endereço%' or motivo = 'recusada: destinatario')"
        " and n = (select max(n) from mensagem u where u.destinatario_id = m.destinatario_id) group by destinatario_id",
        "*",
    ),
    "pausas": ("select norma, desde, motivo from pausa", "* replace (desde::timestamptz as desde)"),
}
"""Table → what is read from the ledger, and how DuckDB types it."""


def deliveries_path(warehouse: Path) -> Path:
    """Where readers find the copy: `<stem>.entregas.publicado.duckdb` beside the warehouse."""
    return warehouse.with_name(f"{warehouse.stem}.entregas.publicado.duckdb")


def publish_deliveries(ledger: Ledger, destino: Path) -> Path:
    """Write the copy and put it in the place of the old one, whole or not at all; returns its path.

    A copy that can't be written is only an old copy: it is logged, and stops nobody.
    """
    temporario = destino.with_name(f".{destino.name}.{os.getpid()}.tmp")
    _remove(temporario)
    try:
        with duckdb.connect(str(temporario)) as con:
            con.execute("set TimeZone = 'America/Bahia'")
            for nome, (leitura, tipos) in TABLES.items():
                cursor = ledger.db.execute(leitura)
                colunas = [c[0] for c in cursor.description]
                linhas = cursor.fetchall()
                con.register("lidas", pa.table({c: _column(linhas, i) for i, c in enumerate(colunas)}))
                con.execute(f"create table {nome} as select {tipos} from lidas")
                con.unregister("lidas")
        temporario.replace(destino)
    except (duckdb.Error, OSError) as erro:
        log.warning("a cópia do registro de entregas não pôde ser publicada: %s", type(erro).__name__)
    finally:
        _remove(temporario)
    return destino


def _column(linhas: list[tuple[object, ...]], i: int) -> pa.Array:
    valores = [linha[i] for linha in linhas]
    tipo = pa.int64() if any(isinstance(v, int) for v in valores) else pa.string()
    return pa.array(valores, tipo)


def _remove(path: Path) -> None:
    for resto in (path, path.with_name(f"{path.name}.wal")):
        with suppress(FileNotFoundError):
            resto.unlink()
