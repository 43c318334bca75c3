"""The caller of a request: a browser with a session, or a program with a token. Neither can approve."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from whet.app.tokens import TokenScope, find_token
from whet.errors import NoScope, NotSignedIn
from whet.web.site import CurrentSite


@dataclass(frozen=True)
class WebCaller:
    """The sender of a request: a name for the record, and the scopes."""

    name: str
    scopes: frozenset[TokenScope]

    def refuse_without(self, scope: TokenScope) -> None:
        if scope not in self.scopes:
            raise NoScope(
                f"{self.name} may not do this: the scope {scope.value!r} is missing",
                f"`whet tokens create NAME --scope {scope.value}` makes a token that has it",
            )


def session_cookie(port: int) -> str:
    """Return the name of the session cookie. Cookies are shared by all ports of a host, so the name has the port."""
    return f"whet-session-{port}"


def caller_of(request: Request, site: CurrentSite) -> WebCaller:
    """Return the caller of a request. Raise NotSignedIn for none, and for a token that is unknown, revoked or expired."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        token = find_token(site.opened.project.state, secret.strip())
        if token is None:
            raise NotSignedIn("this token is unknown, revoked or expired", "`whet tokens create NAME` makes one")
        site.rates.take(f"token:{token.name}")
        return WebCaller(f"token:{token.name}", token.scopes)
    if site.sessions.knows(request.cookies.get(session_cookie(site.settings.port), ""), site.name):
        site.rates.take("browser")
        return WebCaller("browser", frozenset({TokenScope.READ}))
    raise NotSignedIn(
        "you are not signed in",
        "open the link that `whet serve` printed, which works once; or use a token (Authorization: Bearer ...)",
    )


CurrentCaller = Annotated[WebCaller, Depends(caller_of)]


def reader(caller: CurrentCaller) -> WebCaller:
    """Return the caller if they may read."""
    caller.refuse_without(TokenScope.READ)
    return caller


def suggester(caller: CurrentCaller) -> WebCaller:
    """Return the caller if they may record suggestions and notes."""
    caller.refuse_without(TokenScope.SUGGEST)
    return caller


def prover(caller: CurrentCaller) -> WebCaller:
    """Return the caller if they may have changes proved."""
    caller.refuse_without(TokenScope.PROVE)
    return caller


def sender(caller: CurrentCaller) -> WebCaller:
    """Return the caller if they may send telemetry."""
    caller.refuse_without(TokenScope.SEND)
    return caller


READING = [Depends(reader)]
"""The dependency of routes that only read."""
Suggester = Annotated[WebCaller, Depends(suggester)]
PROVING = [Depends(prover)]
