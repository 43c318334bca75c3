"""Webhooks of forges: a prompt to look, believed only with a valid signature over the raw bytes."""

from typing import Literal

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from whet.app.webhooks.receiving import receive
from whet.web.answers import answer
from whet.web.api.problems import PROBLEMS
from whet.web.site import CurrentSite

router = APIRouter(tags=["webhooks"], responses=PROBLEMS)


@router.post("/hooks/{forge}", status_code=202)
async def take_webhook(request: Request, site: CurrentSite, forge: Literal["github", "gitlab"]) -> Response:
    """Record a forge's webhook as a request to look at the repository. A repeated one is recorded once."""
    body = await request.body()
    recorded = await run_in_threadpool(receive, site.project, forge, request.headers, body)
    return answer(recorded, status=202)
