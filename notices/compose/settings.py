"""What a municipality may set about its notices. Days are calendar days unless they say otherwise."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator


class ComposeSettings(BaseModel):
    """The `avisos` table of the settings file.

    `contatos`: norm → what the operator reads under "quem procurar" (place, hours, telephone). `nao_avisar`: checks
    kept out of notices. `imediato_*`: what can't wait for the weekly notice; an empty list or 0 switches it off.
    `linhas_por_cartao`: subjects shown in one block; the rest goes in the attached list.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    contatos: dict[str, str] = {}
    assinatura: str = "Fiscalização de transportes"
    nao_avisar: tuple[str, ...] = ()

    dias_antes: tuple[int, ...] = (30, 15, 7, 1)
    semanas_depois: tuple[int, ...] = (1, 2, 4, 8)

    imediato_consequencias: tuple[str, ...] = ("cassacao",)
    imediato_titulo_dias: int = Field(7, ge=0)
    imediato_titulo_verificacoes: tuple[str, ...] = ("alvara_vencido",)
    imediato_defesa_dias_uteis: int = Field(3, ge=0)

    linhas_por_cartao: int = Field(40, ge=1)

    @field_validator("dias_antes", "semanas_depois")
    @classmethod
    def _known(cls, valor: tuple[int, ...]) -> tuple[int, ...]:
        if not valor or len(set(valor)) != len(valor) or min(valor) < 1:
            raise ValueError("pede números diferentes, maiores que zero")
        return tuple(sorted(valor))
