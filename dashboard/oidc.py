"""Login at the municipality's OpenID Connect provider: authorization code with PKCE, nonce and state, by authlib."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx
from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dashboard.acesso import Porteiro, Recusado, role_of
from dashboard.config import Painel

SILENT = "O provedor de login do município não respondeu. Tente daqui a pouco."


def login_routes(painel: Painel, porteiro: Porteiro) -> list[Route]:
    """`/entrar`, `/retorno`, `/sair`."""
    s = painel.settings
    oauth = OAuth()
    oauth.register(
        "municipio",
        server_metadata_url=f"{s.oidc_emissor.rstrip('/')}/.well-known/openid-configuration",
        client_id=s.oidc_cliente,
        client_secret=painel.segredo,
        client_kwargs={"scope": s.oidc_escopo, "code_challenge_method": "S256", "timeout": 15},
    )
    back = f"{s.url_publica.rstrip('/')}/retorno"

    async def entrar(request: Request) -> Response:
        request.session["depois"] = inside(request.query_params.get("depois", "/"))
        try:
            return await oauth.municipio.authorize_redirect(request, back)
        except httpx.HTTPError as error:
            raise Recusado(502, SILENT) from error

    async def retorno(request: Request) -> Response:
        try:
            token = await oauth.municipio.authorize_access_token(request)
        except httpx.HTTPError as error:
            raise Recusado(502, SILENT) from error
        except (OAuthError, JoseError, ValueError) as error:
            # What exactly was wrong with the answer is for whoever forged it to find out.
            raise Recusado(401, "O provedor de login não confirmou a entrada. Tente entrar de novo.") from error
        claims: dict[str, Any] = token.get("userinfo") or {}
        groups = claims.get(s.oidc_grupos) or []
        if isinstance(groups, str):
            groups = groups.replace(",", " ").split()
        role = role_of([str(g) for g in groups], s)
        after = inside(request.session.get("depois", "/"))
        request.session.clear()
        request.session.update(
            papel=role,
            marca=porteiro.mark(str(claims.get("sub", ""))),
            ate=painel.agora().timestamp() + s.sessao_horas * 3600,
        )
        return RedirectResponse(after, status_code=303)

    async def sair(request: Request) -> Response:
        request.session.clear()
        return RedirectResponse("/", status_code=303)

    return [
        Route("/entrar", entrar, name="entrar"),
        Route("/retorno", retorno, name="retorno"),
        Route("/sair", sair, methods=["POST"], name="sair"),
    ]


def inside(target: str) -> str:
    """A path of this site, or its first page: nobody is sent elsewhere after login."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not target.startswith("/") or target.startswith("//") or "\\" in target:
        return "/"
    return target if target.isprintable() else "/"
