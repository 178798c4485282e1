"""What every answer carries, and the line each request leaves in the log: no name, no address, no query."""

from __future__ import annotations

import logging
import time
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("emdia.painel.acesso")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Resguardo:
    """Outermost layer of the site: headers on every answer, errors included, and one log line per request."""

    def __init__(self, app: ASGIApp, https: bool) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if self._https:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            visitor = scope.get("state", {}).get("visitante")
            log.info(
                "%s %s %d %d ms papel=%s quem=%s",
                scope["method"],
                _page(scope),
                status,
                round((time.perf_counter() - started) * 1000),
                visitor.papel if visitor else "-",
                visitor.marca if visitor else "-",
            )


def _page(scope: dict[str, Any] | Scope) -> str:
    """Which page, without what was asked of it: an address may hold a person's number."""
    if scope["path"].startswith("/estatico/"):
        return "estatico"
    endpoint = scope.get("endpoint")
    name = getattr(endpoint, "__name__", "") or "desconhecida"
    recorte = scope.get("path_params", {}).get("recorte")
    return f"{name}/{recorte}" if recorte and str(recorte).isidentifier() else name
