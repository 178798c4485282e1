"""How a municipality sends: what is no secret. Server, login and password come from EMDIA_SMTP_* (server.py)."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field


class SendingSettings(BaseModel):
    """The `envio` table of the settings file. Shares are fractions (0.30 = 30 %), times are seconds.

    `agendado`: the scheduled runs send; otherwise they fill the outbox, as the command does without --send.
    `permitidos`: addresses (`a@b.br`) or whole domains (`@b.br`), the only ones written to outside production.
    `novos_*`: the breaker asks when more than `novos_maximo` recipients, or more than `novos_fracao` of them (and
    more than `novos_minimo`), were never written to. `salto_*`: it asks when violations grew by more than that
    share, and by more than that number, since a week before. `validade_dias`: what waited longer is withdrawn and
    composed anew; `dados_ate_dias`: nothing is sent on data older than that.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    remetente: str | None = None
    remetente_nome: str = ""
    responder_a: str | None = None

    producao: bool = False
    agendado: bool = False
    permitidos: tuple[str, ...] = ()

    novos_maximo: int = Field(default=50, ge=0)
    novos_fracao: Decimal = Field(default=Decimal("0.30"), ge=0, le=1)
    novos_minimo: int = Field(default=5, ge=0)
    salto_fracao: Decimal = Field(default=Decimal("0.50"), ge=0)
    salto_minimo: int = Field(default=20, ge=0)

    por_minuto: int = Field(default=120, ge=1)
    por_conexao: int = Field(default=100, ge=1)
    tentativas: int = Field(default=3, ge=1)
    espera_tentativa: float = Field(default=300, ge=0)
    recusas_seguidas: int = Field(default=10, ge=1)
    validade_dias: int = Field(default=6, ge=0)
    dados_ate_dias: int = Field(default=3, ge=0)
    espera_banco: float = Field(default=120, ge=0)
