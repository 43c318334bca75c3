"""The errors of the API in its OpenAPI description."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from whet.web.problems import PROBLEM_TYPE


class ProblemDetails(BaseModel):
    """An error (RFC 9457) with whet's code and the remedy."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    remedy: str


_SCHEMA = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
_WORDS = {
    400: "The request is invalid, or something in the repository does not fit it.",
    401: "Not signed in: no session and no valid token.",
    403: "The token does not permit this, or a page of another site sent it.",
    404: "The named thing is not on record.",
    405: "The path has no such method.",
    409: "Refused by the policy, the guard or the kill switch.",
    412: "The evidence is not the one that If-Match names.",
    413: "The body is too large.",
    421: "The server does not answer to this host name.",
    422: "A parameter has the wrong form, or an idempotency key was used for something else.",
    428: "If-Match is missing.",
    429: "Too many requests; Retry-After says when to try again.",
    500: "The record is damaged, or a bug in whet.",
    503: "The machine or the repository is not ready.",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": _SCHEMA} for status, words in _WORDS.items()
}


def describe_problems(app: FastAPI) -> None:
    """Add the schema of problem details to the OpenAPI description of an application, where every error refers to it."""
    schemas = app.openapi().setdefault("components", {}).setdefault("schemas", {})
    schemas["ProblemDetails"] = ProblemDetails.model_json_schema()
