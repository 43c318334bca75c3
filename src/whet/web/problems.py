"""Errors as answers: problem details (RFC 9457) for programs, a short page for browsers."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, Response

from whet.domain.redact import redact
from whet.domain.sanitize import sanitize
from whet.errors import (
    Corrupt,
    EnvironmentProblem,
    EvidenceChanged,
    KeyUsedTwice,
    MissingPrecondition,
    NoScope,
    NotOnRecord,
    NotSignedIn,
    Refused,
    Stopped,
    TooManyRequests,
    UsageError,
    WhetError,
)
from whet.web.security.headers import HEADERS

PROBLEM_TYPE = "application/problem+json"
_STATUSES: tuple[tuple[type[WhetError], int], ...] = (
    (NotSignedIn, 401),
    (NoScope, 403),
    (NotOnRecord, 404),
    (KeyUsedTwice, 422),
    (MissingPrecondition, 428),
    (TooManyRequests, 429),
    (EvidenceChanged, 412),
    (Stopped, 409),
    (Refused, 409),
    (UsageError, 400),
    (EnvironmentProblem, 503),
    (Corrupt, 500),
)


def status_of(problem: WhetError) -> int:
    """Return the HTTP status of an error, by the first class in the table that it belongs to."""
    return next((status for cls, status in _STATUSES if isinstance(problem, cls)), 500)


def problem_body(status: int, code: str, message: str, remedy: str = "") -> dict[str, Any]:
    """Return problem details with whet's code and remedy. Secrets are redacted, hidden characters are written as escapes."""
    return {
        "type": f"urn:whet:error:{code}",
        "title": code.replace("_", " "),
        "status": status,
        "detail": sanitize(redact(message)),
        "code": code,
        "remedy": sanitize(redact(remedy)),
    }


def problem_response(status: int, code: str, message: str, remedy: str = "") -> JSONResponse:
    headers = {401: {"WWW-Authenticate": 'Bearer realm="whet"'}, 429: {"Retry-After": "5"}}.get(status)
    body = problem_body(status, code, message, remedy)
    return JSONResponse(body, status_code=status, media_type=PROBLEM_TYPE, headers=headers)


def add_problem_handlers(app: FastAPI) -> None:
    """Let every error of whet, of validation and of routing become problem details or a page."""

    @app.exception_handler(WhetError)
    def explain(request: Request, problem: WhetError) -> Response:
        return _answer(request, status_of(problem), problem.code, problem.message, problem.remedy)

    @app.exception_handler(RequestValidationError)
    def explain_invalid(request: Request, problem: RequestValidationError) -> Response:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return _answer(request, 422, "invalid_request", f"{place}: {first['msg']}", "see /api/v1/openapi.json")

    @app.exception_handler(HTTPException)
    def explain_http(request: Request, problem: HTTPException) -> Response:
        code = {404: "not_found", 405: "method_not_allowed"}.get(problem.status_code, "http_error")
        words = "there is no such page" if problem.status_code == 404 else str(problem.detail)
        answer = _answer(request, problem.status_code, code, words, "")
        answer.headers.update(problem.headers or {})
        return answer

    @app.exception_handler(ClientDisconnect)
    def explain_cut_off(request: Request, _problem: ClientDisconnect) -> Response:
        return _answer(request, 400, "cut_off", "the connection ended before the body did", "")

    @app.exception_handler(Exception)
    def explain_bug(request: Request, problem: Exception) -> Response:
        message = f"a bug in whet: {type(problem).__name__}"
        answer = _answer(
            request, 500, "internal", message, "the log of `whet serve` has the traceback; please report it"
        )
        answer.headers.update(HEADERS)  # this handler runs outside the perimeter
        return answer


def _answer(request: Request, status: int, code: str, message: str, remedy: str) -> Response:
    is_page = not _is_api(request) and "text/html" in request.headers.get("accept", "")
    if not is_page:
        return problem_response(status, code, message, remedy)
    return HTMLResponse(_page(request, problem_body(status, code, message, remedy)), status_code=status)


_HEADINGS = {401: "Sign in", 404: "Not here", 409: "Refused", 429: "Too many requests", 503: "Not ready"}


def _page(request: Request, body: dict[str, Any]) -> str:
    """Return an error as a page that looks like the others. It needs no session and reads no record."""
    from whet.web.pages import static_files
    from whet.web.pages.template import render

    status, site = body["status"], getattr(request.app.state, "site", None)
    return render(
        "error.html",
        root=request.scope.get("root_path", ""),
        tab="",
        standalone=False,
        strip=None,
        static=static_files.address,
        integrity=static_files.integrity,
        title=body["title"],
        heading=_HEADINGS.get(status, "That did not work" if status < 500 else "Something is broken"),
        detail=body["detail"],
        remedy=body["remedy"],
        may_sign_in=status == 401 and site is not None,
        status=status,
        code=body["code"],
    )


def _is_api(request: Request) -> bool:
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    return bool(path.startswith(("/api/", "/mcp", "/hooks/")))
