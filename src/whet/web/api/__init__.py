"""REST: the nouns of the record as JSON, in the form of the command line's `--json`."""

from fastapi import APIRouter

from whet.web.api import status

router = APIRouter(prefix="/api/v1")
router.include_router(status.router)
