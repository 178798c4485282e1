"""The states of a message and what may follow what. Anything else is a defect, and stops."""

from __future__ import annotations

PREPARADA = "preparada"  # composed and kept; nothing of it has left
ENVIANDO = "enviando"  # the server asked for the body: from here on it may have arrived
ENVIADA = "enviada"  # the server took it, with an answer
RECUSADA = "recusada"  # the server said no for good
INCERTA = "incerta"  # the line fell, or the process died, before the answer: a person decides
SUPRIMIDA = "suprimida"  # never left and won't: withdrawn, replaced, nowhere to send it

FOLLOWS = {
    PREPARADA: {ENVIANDO, RECUSADA, SUPRIMIDA},
    ENVIANDO: {ENVIADA, RECUSADA, INCERTA, PREPARADA},
    INCERTA: {ENVIADA, PREPARADA},
    RECUSADA: {PREPARADA},
    SUPRIMIDA: {PREPARADA},
    ENVIADA: set(),
}

TOLD = (ENVIANDO, ENVIADA, INCERTA)
"""States in which the recipient has, or may have, the message: the step is not told again."""

# Why a message was withdrawn.
SEM_ENDERECO = "sem endereço"
ENDERECO_INVALIDO = "endereço inválido"
ENDERECO_RECUSADO = "endereço recusado antes"
FORA_DA_LISTA = "fora da lista permitida"
MUDOU = "a situação mudou"
RECOMPOSTA = "recomposta"
SEM_OBJETO = "não há mais o que avisar"
ENVELHECEU = "envelheceu sem sair"
CANCELADA = "rodada cancelada"

TO_FIX = (SEM_ENDERECO, ENDERECO_INVALIDO, ENDERECO_RECUSADO)
"""Reasons somebody can mend in the registry."""
