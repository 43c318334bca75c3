"""Sign-in with the one-time link that `whet serve` prints, and sign-out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from whet.app.tokens import find_token
from whet.errors import NotSignedIn
from whet.web.security.callers import session_cookie
from whet.web.site import CurrentSite, Site

router = APIRouter(include_in_schema=False)


@router.get("/enter")
def enter(request: Request, site: CurrentSite, key: str = "") -> Response:
    """Exchange the key of a one-time link for a session cookie, and go to the first page."""
    secret = site.sessions.enter(key)
    if secret is None:
        raise NotSignedIn("this link was used already, or is older than 15 minutes", "`whet serve` prints a new one")
    return _signed_in(site, secret, request.scope.get("root_path", ""))


@router.post("/enter")
def enter_with_token(site: CurrentSite, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Exchange a token that may read for a session of this repository. The session reads and nothing else."""
    site.rates.take("sign-in")
    if find_token(site.opened.project.state, token.strip()) is None:
        raise NotSignedIn("this token is unknown, revoked or expired", "`whet tokens create NAME` makes one")
    return _signed_in(site, site.sessions.begin(site.name), site.root)


def _signed_in(site: Site, secret: str, root: str) -> Response:
    """Return the redirection to the first page with the cookie of a session."""
    answer = RedirectResponse(f"{root}/", status_code=303)
    answer.set_cookie(
        session_cookie(site.settings.port),
        secret,
        max_age=int(site.settings.session_hours * 3600),
        httponly=True,
        samesite="strict",
        secure=site.settings.is_secure,
    )
    return answer


@router.post("/leave")
def leave(request: Request, site: CurrentSite) -> Response:
    """End the session of this browser."""
    name = session_cookie(site.settings.port)
    site.sessions.end(request.cookies.get(name, ""))
    answer = Response(status_code=204)
    answer.delete_cookie(name, httponly=True, samesite="strict", secure=site.settings.is_secure)
    return answer
