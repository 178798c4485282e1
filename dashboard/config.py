"""How a dashboard is served: where, to whom, and how old its data may be without saying so."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

Papel = Literal["gestao", "publico"]
GESTAO: Papel = "gestao"
PUBLICO: Papel = "publico"
#: A shared secret shorter than this can be guessed.
SECRET_LENGTH = 32


class ConfigError(Exception):
    """The dashboard refuses to start like this; the message (Portuguese) says what to change."""


class PainelSettings(BaseModel):
    """The `[painel]` table of a municipality's settings. No secret is ever written here."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    porta: int = Field(default=8408, ge=0, le=65535)
    #: Days the data may lie behind today before every page says so.
    tolerancia_dias: int = Field(default=0, ge=0)
    login: Literal["nenhum", "proxy", "oidc"] = "nenhum"
    #: What the person at this machine sees when there is no login.
    papel_local: Papel = GESTAO
    #: Visitors without login see the figures without names.
    publico_aberto: bool = False
    #: Names this site answers to, besides the loopback ones.
    hosts: tuple[str, ...] = ()
    url_publica: str = ""
    grupos_gestao: tuple[str, ...] = ()
    grupos_publico: tuple[str, ...] = ()
    cabecalho_usuario: str = "X-Forwarded-User"
    cabecalho_grupos: str = "X-Forwarded-Groups"
    cabecalho_segredo: str = "X-Emdia-Segredo"
    oidc_emissor: str = ""
    oidc_cliente: str = ""
    oidc_escopo: str = "openid profile"
    oidc_grupos: str = "groups"
    sessao_horas: int = Field(default=8, ge=1, le=24)
    exporta_ate: int = Field(default=100_000, ge=1, le=1_000_000)
    memoria: str = "2GB"
    threads: int = Field(default=2, ge=1)
    #: Seconds between an open page's questions whether there is a newer copy.
    aviso_segundos: int = Field(default=30, ge=1)


@dataclass(frozen=True)
class Painel:
    """All that one dashboard needs. `agora` is the only clock; secrets come from the environment."""

    copia: Path
    settings: PainelSettings
    agora: Callable[[], datetime]
    municipio: str = ""
    segredo: str = ""
    chave: str = ""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check(painel: Painel) -> None:
    """Refuse a dashboard that would show names to whoever passes. Raises `ConfigError`."""
    s = painel.settings
    if s.login == "nenhum":
        if not is_loopback(s.host):
            raise ConfigError(
                f'o painel não abre em {s.host} sem login. Configure em [painel] login = "oidc" (provedor do '
                'município) ou login = "proxy" (cabeçalho de um proxy com segredo), ou use --host 127.0.0.1.'
            )
        if s.url_publica or s.hosts:
            raise ConfigError('painel com endereço público (url_publica, hosts) precisa de login: "oidc" ou "proxy".')
        return
    if len(painel.segredo) < SECRET_LENGTH:
        raise ConfigError(
            f"falta o segredo do login: ponha-o em EMDIA_PAINEL_SEGREDO, com {SECRET_LENGTH} caracteres ou mais. "
            "Em arquivo ou na linha de comando ele não é aceito."
            if s.login == "proxy" or not painel.segredo
            else f"o segredo em EMDIA_PAINEL_SEGREDO é curto: use {SECRET_LENGTH} caracteres ou mais."
        )
    if not s.grupos_gestao and not s.grupos_publico:
        raise ConfigError(
            "diga em [painel] que grupos entram: grupos_gestao (veem nomes) e grupos_publico (só números)."
        )
    if s.login == "oidc":
        _check_oidc(s)


def _check_oidc(s: PainelSettings) -> None:
    for name in ("oidc_emissor", "oidc_cliente", "url_publica"):
        if not getattr(s, name):
            raise ConfigError(f'para login = "oidc" falta {name} em [painel].')
    for name in ("oidc_emissor", "url_publica"):
        url = urlsplit(getattr(s, name))
        if url.scheme != "https" and not is_loopback(url.hostname or ""):
            raise ConfigError(f"{name} tem de ser https: por ele passam o login e a sessão.")
