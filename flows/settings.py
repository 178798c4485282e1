"""Settings of one municipality: an argument everywhere below the command line, never a global.

Order: the command line, the environment (`EMDIA_...`), the TOML file of `--config`, the defaults here.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from checks.warehouse.limits import GateLimits
from dashboard.config import PainelSettings
from flows.arquivo_de_configuracao import explain, read_file
from flows.erros import ErroDeUso
from notices.compose.settings import ComposeSettings
from notices.delivery.settings import SendingSettings
from notices.escalate.settings import EscalationSettings


class Settings(BaseSettings):
    """What one municipality may set. Shares are fractions (0.05 = 5 %)."""

    model_config = SettingsConfigDict(env_prefix="EMDIA_", extra="forbid", frozen=True)

    municipio: str = ""
    fuso: str = "America/Bahia"
    extracts: Path | None = None
    warehouse: Path = Path("var/emdia.duckdb")
    out: Path = Path("saida")
    overrides: Path | None = None
    #: Folders with norms of the municipality's own, beside the product's five.
    normas: tuple[Path, ...] = ()

    max_rejeitos: Decimal = Field(Decimal("0.05"), ge=0, le=1)
    min_rejeitos: int = Field(10, ge=0)
    portao: GateLimits = GateLimits()
    avisos: ComposeSettings = ComposeSettings.model_validate({})
    envio: SendingSettings = SendingSettings()
    escalada: EscalationSettings = EscalationSettings.model_validate({})
    painel: PainelSettings = PainelSettings()

    memoria: str | None = "40%"  # of the machine's: the rest is for the server, the readers and the disk cache
    threads: int | None = Field(None, ge=1)

    prefect_home: Path | None = None
    prefect_api_url: str | None = None
    agenda: str = "0 2 * * *"
    agenda_avisos: str = "0 7 * * 1"
    agenda_imediatos: str = "0 7 * * *"
    agenda_listas: str = "30 6 * * *"
    tentativas: int = Field(2, ge=0)

    @field_validator("fuso")
    @classmethod
    def _known_zone(cls, valor: str) -> str:
        try:
            ZoneInfo(valor)
        except (KeyError, ValueError, OSError):
            raise ValueError("`fuso`: não é um fuso horário conhecido, como America/Bahia") from None
        return valor

    def norm_roots(self) -> tuple[Path, ...]:
        """Where norms are read from: the product's own folder, then the municipality's."""
        from data.loader import ROOT

        return (ROOT, *self.normas)

    def home(self) -> Path:
        """Where Prefect keeps its own things for this municipality."""
        return self.prefect_home or self.warehouse.absolute().parent / "prefect"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, which `load_settings` hands in as initial values."""
        return (env_settings, init_settings)


def load_settings(config: Path | None = None, **command_line: Any) -> Settings:
    """Settings from the file, the environment and the options that were really given (None: not given).

    Relative paths inside the file are relative to the file. A wrong name or value is an `ErroDeUso`.
    """
    arquivo, texto = read_file(config) if config else ({}, "")
    if config:
        _from_its_folder(arquivo, config.absolute().parent)
    dados = {k: v for k, v in command_line.items() if v is not None}
    try:
        return Settings(**arquivo).model_copy(update=dados) if dados else Settings(**arquivo)
    except ValidationError as erro:
        raise ErroDeUso(explain(erro, Settings, config, texto)) from None


def _from_its_folder(dados: dict[str, Any], pasta: Path) -> None:
    """Make the relative paths of a settings file absolute."""
    for nome, campo in Settings.model_fields.items():
        if "Path" not in str(campo.annotation):
            continue
        valor = dados.get(nome)
        if isinstance(valor, str):
            dados[nome] = pasta / valor
        elif isinstance(valor, list):
            dados[nome] = [pasta / v if isinstance(v, str) else v for v in valor]
