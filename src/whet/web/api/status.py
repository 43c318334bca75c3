"""What whet is doing: the kill switch, the head of the record, open questions."""

from fastapi import APIRouter
from starlette.responses import Response

from whet.app.status import status
from whet.web.answers import answer
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(tags=["status"], dependencies=READING)


@router.get("/status")
def read_status(site: CurrentSite) -> Response:
    """Return the kill switch, the head of the record, the open questions and the time of the last cycle."""
    return answer(status(site.project))
