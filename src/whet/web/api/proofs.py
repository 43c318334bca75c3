"""Proofs of changes that whet did not write. Nothing is deployed."""

from typing import Annotated, Self

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import Response

from whet.app.proofs.proof_queue import requested_change
from whet.web.answers import answer
from whet.web.security.callers import PROVING
from whet.web.site import CurrentSite

router = APIRouter(prefix="/proofs", tags=["proofs"], dependencies=PROVING)


class NewProof(BaseModel):
    """A change to prove: a unified diff or a branch, and the commit to prove it against."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "oneOf": [
                {"required": [name], "properties": {name: {"minLength": 1}, other: {"maxLength": 0}}}
                for name, other in (("patch", "branch"), ("branch", "patch"))
            ]
        },
    )
    patch: str = Field(default="", max_length=2_000_000)
    branch: str = Field(default="", max_length=500)
    base: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _names_one_change(self) -> Self:
        if bool(self.patch) == bool(self.branch):
            raise ValueError("name one change: patch (a unified diff) or branch")
        return self


@router.post("", status_code=202)
def start_proof(request: Request, site: CurrentSite, new: NewProof) -> Response:
    """Start a proof and return its handle. The same change again gives the same handle."""
    state = site.proofs.start(requested_change(site.project, new.patch, new.branch, new.base))
    started = answer(state, status=202)
    started.headers["Location"] = f"{request.scope.get('root_path', '')}/api/v1/proofs/{state['handle']}"
    return started


@router.get("/{handle}")
def read_proof(site: CurrentSite, handle: Annotated[str, Path(max_length=64)]) -> Response:
    """Return the state of a proof: waiting, running, failed with a reason, or done with verdict and evidence."""
    state = site.proofs.state(handle)
    return answer(state, digest=str(state.get("digest", "")))
