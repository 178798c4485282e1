"""Who is asking: nobody in particular on this machine, whom a trusted proxy names, or whom the provider vouches for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from starlette.requests import HTTPConnection

from dashboard.config import GESTAO, PUBLICO, Painel, PainelSettings, is_loopback

#: What only a proxy adds: with these and no login, the "local" visitor is the whole network.
PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class Recusado(Exception):
    """The request may not go on. `texto` (Portuguese) says why; `status` 401 means that a login would help."""

    def __init__(self, status: int, texto: str) -> None:
        super().__init__(texto)
        self.status = status
        self.texto = texto


@dataclass(frozen=True)
class Visitante:
    """The role of who asks, and a short mark that is the same all day and says nothing of the person."""

    papel: str
    marca: str = "-"

    @property
    def ve_nomes(self) -> bool:
        """Whether names may be shown."""
        return self.papel == GESTAO


class Porteiro:
    """Decides the role of each request by the way of login that is configured."""

    def __init__(self, painel: Painel) -> None:
        self._settings = painel.settings
        self._secret = painel.segredo
        self._key = (painel.chave or secrets.token_hex(32)).encode()
        self._now = painel.agora

    def visitor(self, request: HTTPConnection) -> Visitante:
        """The visitor of a request. Raises `Recusado`."""
        settings = self._settings
        if settings.login == "nenhum":
            return self._local(request)
        found = self._by_proxy(request) if settings.login == "proxy" else self._by_session(request)
        if found is not None:
            return found
        if settings.publico_aberto:
            return Visitante(PUBLICO)
        raise Recusado(401, "É preciso entrar para ver o painel.")

    def _local(self, request: HTTPConnection) -> Visitante:
        if any(name in request.headers for name in PROXY_HEADERS):
            raise Recusado(
                403, 'Há um proxy na frente deste painel, e ele está sem login. Configure login = "proxy" ou "oidc".'
            )
        return Visitante(self._settings.papel_local)

    def _by_proxy(self, request: HTTPConnection) -> Visitante | None:
        s = self._settings
        given = request.headers.getlist(s.cabecalho_segredo)
        if not given:
            return None
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), self._secret.encode()):
            raise Recusado(403, "O segredo do proxy não confere.")
        users = [u for u in request.headers.getlist(s.cabecalho_usuario) if u.strip()]
        if not users:
            return None
        if len(users) > 1:
            raise Recusado(403, "O proxy mandou mais de um usuário.")
        groups = [g.strip() for line in request.headers.getlist(s.cabecalho_grupos) for g in line.split(",")]
        return Visitante(role_of(groups, s), self.mark(users[0]))

    def _by_session(self, request: HTTPConnection) -> Visitante | None:
        session: dict[str, Any] = request.session
        if session.get("papel") not in (GESTAO, PUBLICO):
            return None
        if self._now().timestamp() >= session.get("ate", 0):
            session.clear()
            return None
        return Visitante(session["papel"], session.get("marca", "-"))

    def mark(self, user: str) -> str:
        """A pseudonym for the access log: whom it stands for can't be told without the key."""
        return hmac.new(self._key, user.encode(), hashlib.sha256).hexdigest()[:8]


def role_of(groups: Iterable[str], settings: PainelSettings) -> str:
    """The role the person's groups give. Raises `Recusado` when none does."""
    held = {g for g in groups if g}
    if held & set(settings.grupos_gestao):
        return GESTAO
    if held & set(settings.grupos_publico) or settings.publico_aberto:
        return PUBLICO
    raise Recusado(403, "Seu usuário não está em nenhum grupo que veja este painel. Fale com quem o administra.")


def host_allowed(host: str, settings: PainelSettings) -> bool:
    """Whether a Host header is ours: another name pointing here would be somebody else's page reading ours."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.strip("[]").lower()
    if settings.login == "nenhum":
        return is_loopback(name)
    if not settings.hosts:
        return True
    return name in {h.lower() for h in settings.hosts} or is_loopback(name)
