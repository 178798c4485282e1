"""What a person decides about a message or an address, written down with who decided."""

from __future__ import annotations

from notices.delivery import states as s
from notices.delivery.ledger import Ledger, LedgerError


def resolve(ledger: Ledger, chave: str, *, chegou: bool, por: str) -> None:
    """An uncertain message: it arrived (`enviada`), or it is to be sent again (`preparada`, same Message-ID)."""
    estado = ledger.message(chave)["estado"]
    if estado != s.INCERTA:
        raise LedgerError(f"a mensagem {chave} está {estado}; só se decide sobre mensagem incerta.")
    if chegou:
        ledger.change(chave, (s.INCERTA,), s.ENVIADA, f"{por}: chegou")
    else:
        ledger.change(
            chave, (s.INCERTA,), s.PREPARADA, f"{por}: enviar de novo", aprovada=1, tentativas=0, proxima_em=None
        )


def unblock(ledger: Ledger, endereco: str, por: str) -> int:
    """An address taken for bad is good: what it refused will be composed anew. `*`: all of them. Returns how many."""
    with ledger.transaction():
        ruins = [
            r["endereco"]
            for r in ledger.rows("select endereco from endereco_ruim where ? in (endereco, '*')", endereco)
        ]
        for ruim in ruins:
            ledger.db.execute("delete from endereco_ruim where endereco = ?", (ruim,))
            for (chave,) in ledger.rows(
                "select chave from mensagem where endereco = ? and estado = ?", ruim, s.RECUSADA
            ):
                # Back and withdrawn: the next composition is free to take its findings up again.
                ledger.change(chave, (s.RECUSADA,), s.PREPARADA, f"{por}: o endereço está bom")
                ledger.change(chave, (s.PREPARADA,), s.SUPRIMIDA, motivo=s.RECOMPOSTA, detalhe=s.RECOMPOSTA)
    return len(ruins)
