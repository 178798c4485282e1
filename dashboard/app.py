"""The site: pages, login, errors told in words, and the layers around them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.acesso import Porteiro, Recusado, host_allowed
from dashboard.conferencia import CopyProblem
from dashboard.config import Painel, PainelSettings, check
from dashboard.copia import Copia
from dashboard.paginas import Paginas
from dashboard.seguranca import Resguardo
from dashboard.visao import STATIC

log = logging.getLogger("emdia.painel")
#: Open to whoever may reach the site: they hold no figure.
OPEN = ("/estatico/", "/entrar", "/retorno", "/sair")
COOKIE = "emdia_sessao"


def build_app(painel: Painel) -> ASGIApp:
    """The whole site. Raises `ConfigError` when it would be open to whoever passes."""
    check(painel)
    copia = Copia(painel.copia, painel.settings.memoria, painel.settings.threads)
    porteiro = Porteiro(painel)
    paginas = Paginas(painel, copia)
    https = painel.settings.url_publica.startswith("https:")
    routes: list[Route | Mount] = [
        *paginas.routes(),
        Mount("/estatico", StaticFiles(directory=STATIC), name="estatico"),
    ]

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Recusado)
        if error.status == 401 and painel.settings.login == "oidc" and request.url.path not in ("/retorno", "/versao"):
            return RedirectResponse(f"/entrar?depois={_quoted(request)}", status_code=303)
        return paginas.missing(request, TITULOS.get(error.status, "Não foi possível"), error.texto, error.status)

    middleware = [Middleware(_Entrada, settings=painel.settings, porteiro=porteiro, refused=refused)]
    if painel.settings.login == "oidc":
        from dashboard.oidc import login_routes

        routes += login_routes(painel, porteiro)
        middleware.insert(
            0,
            Middleware(
                SessionMiddleware,
                secret_key=painel.chave or secrets.token_hex(32),
                session_cookie=COOKIE,
                max_age=painel.settings.sessao_horas * 3600,
                same_site="lax",
                https_only=https,
            ),
        )

    def no_copy(request: Request, error: Exception) -> Response:
        assert isinstance(error, CopyProblem)
        answer = paginas.missing(request, error.titulo, error.texto, 503)
        answer.headers["Retry-After"] = "30"
        return answer

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        text = {404: "O endereço não existe neste painel.", 405: "Este endereço só se lê."}
        return paginas.missing(
            request,
            TITULOS.get(error.status_code, "Não foi possível"),
            text.get(error.status_code, ""),
            error.status_code,
        )

    def crashed(request: Request, error: Exception) -> Response:
        log.error("uma página falhou: %s", type(error).__name__)
        return paginas.missing(
            request, "Algo falhou aqui", "O erro ficou registrado. Os dados não foram tocados; tente outra página.", 500
        )

    app = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={
            Recusado: refused,
            CopyProblem: no_copy,
            HTTPException: http_error,
            Exception: crashed,
        },
    )
    return Resguardo(app, https)


TITULOS = {
    401: "É preciso entrar",
    403: "Acesso negado",
    404: "Não encontrado",
    405: "Não se aplica",
    413: "Planilha grande demais",
    502: "O login não respondeu",
}


def _quoted(request: Request) -> str:
    query = f"?{request.url.query}" if request.url.query else ""
    return quote(request.url.path + query, safe="/")


class _Entrada:
    """Lets each request in with its role, or answers why not: here no page's error handler would hear it."""

    def __init__(
        self,
        app: ASGIApp,
        settings: PainelSettings,
        porteiro: Porteiro,
        refused: Callable[[Request, Exception], Response],
    ) -> None:
        self._app = app
        self._settings = settings
        self._porteiro = porteiro
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        scope.setdefault("state", {})
        try:
            if not host_allowed(request.headers.get("host", ""), self._settings):
                raise Recusado(403, "Este painel não responde por esse nome.")
            if not scope["path"].startswith(OPEN):
                scope["state"]["visitante"] = self._porteiro.visitor(request)
        except Recusado as error:
            await self._refused(request, error)(scope, receive, send)
            return
        await self._app(scope, receive, send)
