"""A small OpenID Connect provider on loopback: signs what the test says of the person."""

from __future__ import annotations

import base64
import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp


class Provider:
    """`claims` is what the next person is; `spoil` changes the token to be issued."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "k1"})
        self.signing = self.key
        self.claims: dict[str, Any] = {"sub": "maria", "groups": ["chefes"]}
        self.spoil: dict[str, Any] = {}
        self.url = ""
        self._codes: dict[str, Any] = {}

    def app(self) -> ASGIApp:
        """The four addresses of a provider."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/jwks", lambda r: JSONResponse({"keys": [self.key.as_dict(private=False)]})),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    def _discovery(self, request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/jwks",
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        code = f"c{len(self._codes)}"
        self._codes[code] = dict(asked)
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        asked = self._codes.pop(form["code"], None)
        if asked is None:
            return JSONResponse({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": asked["client_id"], "iat": now, "exp": now + 300, "nonce": asked["nonce"],
            **self.claims, **self.spoil,
        }  # fmt: skip
        token = jwt.encode({"alg": "RS256", "kid": "k1"}, claims, self.signing)
        return JSONResponse({"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": token})


@contextmanager
def serve(app: ASGIApp) -> Iterator[str]:
    """A real server on a free port of loopback; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="critical", access_log=False, server_header=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < deadline and thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(15)
