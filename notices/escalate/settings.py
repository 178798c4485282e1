"""Where the lists for who decides go, and how much of them the message itself shows."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class EscalationSettings(BaseModel):
    """The `escalada` table of the settings file.

    `destinatarios`: norm → authority as the norm names it (`achados.competente`) → e-mail. An authority that is not
    there gets its files and no message. `linhas_no_corpo`: acts shown in each part of the message; all are in the
    spreadsheet.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    destinatarios: dict[str, dict[str, str]] = {}
    linhas_no_corpo: int = Field(25, ge=1)
    assinatura: str = "Fiscalização de transportes"

    def address(self, norma: str, competente: str) -> str | None:
        """The e-mail of an authority under a norm, or None."""
        return self.destinatarios.get(norma, {}).get(competente)
