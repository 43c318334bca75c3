"""MCP over HTTP (`/mcp`): the tools of `whet mcp` for agents with a token."""

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from whet.app.tokens import TokenScope
from whet.errors import EnvironmentProblem, NotSignedIn, WhetError
from whet.web.problems import problem_response, status_of
from whet.web.security.callers import WebCaller, caller_of
from whet.web.site import Site

if TYPE_CHECKING:
    from mcp.server import MCPServer

PATH = "/mcp"
_GRANTS = (TokenScope.SUGGEST, TokenScope.PROVE)


class Agents:
    """The MCP servers of a site: one for each set of scopes, so that an agent sees only the tools it may call.

    They run from `running` until its end. Without the package `mcp` every request is refused with the install line.
    """

    def __init__(self) -> None:
        self._apps: dict[frozenset[TokenScope], ASGIApp] = {}

    @contextlib.asynccontextmanager
    async def running(self, site: Site) -> AsyncIterator[None]:
        """Run the servers of a site."""
        try:
            from mcp.server.transport_security import TransportSecuritySettings

            from whet.mcp.server import make_server
        except ModuleNotFoundError:
            yield
            return
        # The perimeter has checked Host and Origin already, for all names of the server.
        checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        async with contextlib.AsyncExitStack() as stack:
            for scopes in _scope_sets():
                server: MCPServer = make_server(site.opened.project.git.root, scopes, site.proofs, site.url)
                self._apps[scopes] = server.streamable_http_app(
                    streamable_http_path=PATH,
                    stateless_http=True,
                    transport_security=checked,
                    max_request_body_size=site.settings.largest_body_bytes,
                )
                await stack.enter_async_context(server.session_manager.run())
            yield
            self._apps.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            caller = await run_in_threadpool(_caller, Request(scope))
            app = self._apps.get(caller.scopes & frozenset(_GRANTS))
            if app is None:
                raise EnvironmentProblem("this server has no MCP", "pip install 'whet[mcp]', and start it again")
        except WhetError as problem:
            refusal = problem_response(status_of(problem), problem.code, problem.message, problem.remedy)
            await refusal(scope, receive, send)
            return
        await app(scope, receive, send)


def _caller(request: Request) -> WebCaller:
    """Return the program behind a request. A browser's cookie does not count: pages have no use for MCP."""
    if not request.headers.get("authorization"):
        raise NotSignedIn("MCP needs a token", "`whet tokens create NAME` makes one: Authorization: Bearer ...")
    caller = caller_of(request, request.app.state.site)
    caller.refuse_without(TokenScope.READ)
    return caller


def _scope_sets() -> list[frozenset[TokenScope]]:
    return [
        frozenset(grant for number, grant in enumerate(_GRANTS) if bits >> number & 1)
        for bits in range(2 ** len(_GRANTS))
    ]
