"""The state of whet: the same answer as `whet status --json`."""

from fastapi import APIRouter
from starlette.responses import Response

from whet.app.service.status import service_status
from whet.web.answers import answer
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(tags=["status"], dependencies=READING)


@router.get("/status")
def read_status(site: CurrentSite) -> Response:
    """Return what runs, what waits for whom, what is followed, and why whet is silent."""
    return answer(service_status(site.project))
