"""REST: the nouns of the record as JSON, in the form of the command line's `--json`."""

from fastapi import APIRouter

from whet.web.api import agent_notes, answers_at_gates, proofs, proposals, record, status, suggestions
from whet.web.api.problems import PROBLEMS

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
for part in (status, proposals, answers_at_gates, record, suggestions, agent_notes, proofs):
    router.include_router(part.router)
