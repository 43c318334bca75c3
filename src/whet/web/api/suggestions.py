"""Suggestions of programs. They change nothing: whet ranks them, proves any change, and asks a person."""

from typing import Annotated, Any

from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whet.app.findings.suggest import suggest
from whet.web.answers import answer
from whet.web.security.callers import Suggester
from whet.web.site import CurrentSite

router = APIRouter(tags=["suggestions"])
IdempotencyKey = Annotated[
    str, Header(alias="Idempotency-Key", max_length=200, description="The same key records the same suggestion once.")
]


def _given(name: str) -> dict[str, Any]:
    """Return the JSON schema of an object that has a text under this name."""
    return {"required": [name], "properties": {name: {"minLength": 1}}}


class NewSuggestion(BaseModel):
    """A wish: what should be better, the file that it is about, and if possible a case or a patch, as in `whet suggest`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "dependentSchemas": {
                name: {"anyOf": [{"properties": {name: {"maxLength": 0}}}, _given(needed)]}
                for name, needed in (("raises", "case"), ("case", "where"), ("patch", "where"))
            }
        },
    )
    text: str = Field(min_length=1, max_length=20_000, pattern=r"\S")
    where: str = Field(default="", max_length=1000)
    case: str = Field(default="", max_length=5000)
    raises: str = Field(default="", max_length=200)
    patch: str = Field(default="", max_length=1_000_000)


@router.post("/suggestions", status_code=201)
def add_suggestion(
    site: CurrentSite, caller: Suggester, new: NewSuggestion, idempotency_key: IdempotencyKey = ""
) -> Response:
    """Record a suggestion under the name of the token."""
    suggestion = suggest(
        site.project, new.text, new.where, new.case, new.raises, new.patch, by=caller.name, once=idempotency_key
    )
    return answer(suggestion, status=201)
