"""The outermost checks of every request: its Host, its Origin, the size of its body; and the headers of every answer."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whet.web.problems import problem_response
from whet.web.security.body import limited
from whet.web.security.headers import HEADERS
from whet.web.settings import WebSettings

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_FROM_ELSEWHERE = ("cross-site", "same-site")


class Perimeter:
    """ASGI middleware around the whole server.

    The Host check answers only to the server's own names, so a page that points its own name at this machine (DNS
    rebinding) gets nothing. The Origin check refuses requests that pages of other sites send. Both come before sign-in.
    """

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers)
        if refusal:
            await problem_response(*refusal)(scope, receive, _with_headers(send))
            return
        await self._app(scope, limited(receive, self._settings.largest_body_bytes), _with_headers(send))

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str, str, str] | None:
        """Return (status, code, message, remedy) of the first check that fails; None if all hold."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._settings.allowed_hosts:
            return 421, "other_origin", "this server does not answer to that name", f"use {self._settings.url}"
        origin = headers.get("origin")
        foreign = origin is not None and origin.lower() not in self._settings.origins
        if foreign or (method not in _SAFE_METHODS and headers.get("sec-fetch-site") in _FROM_ELSEWHERE):
            return 403, "other_origin", "a page of another site sent this request", f"use {self._settings.url}"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self._settings.largest_body_bytes:
            most = self._settings.largest_body_bytes
            return 413, "too_large", f"the body is larger than {most:,} bytes", "send less; a branch can be larger"
        return None


def _with_headers(send: Send) -> Callable[[MutableMapping[str, Any]], Awaitable[None]]:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers
