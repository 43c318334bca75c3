"""The record: findings, ledger entries, the policy, budgets and models."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from whet.app.budget import budget_statuses
from whet.app.findings.recorded_findings import recorded_findings
from whet.app.setup.models import model_statuses
from whet.app.views.ledger_row import ledger_row
from whet.errors import NotOnRecord
from whet.web.answers import answer
from whet.web.api.paging import After, Limit, Word
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(tags=["record"], dependencies=READING)


@router.get("/findings")
def list_findings(site: CurrentSite) -> Response:
    """List what the last cycle found, best first. Runs nothing."""
    return answer(recorded_findings(site.ledger))


@router.get("/ledger")
def list_entries(
    site: CurrentSite, after: After = 0, limit: Limit = 100, subject: Word = "", phase: Word = "", kind: Word = ""
) -> Response:
    """List entries of the ledger in order, as `whet ledger --json` prints them. `next` is the cursor, or null."""
    entries = site.ledger.entries(subject=subject, phase=phase, kind=kind, after=after, most=limit)
    cursor = entries[-1].seq if len(entries) == limit else None
    return answer({"entries": [ledger_row(entry) for entry in entries], "next": cursor})


@router.get("/ledger/latest")
def latest_entry(site: CurrentSite, kind: Word, phase: Word = "", subject: Word = "") -> Response:
    """Return the newest entry of a kind: the latest artifact of a phase and a type."""
    entry = site.ledger.latest(kind, phase=phase, subject=subject)
    if entry is None:
        raise NotOnRecord("the record has no such entry", "GET /api/v1/ledger lists the phases and kinds that it has")
    return answer(ledger_row(entry))


@router.get("/ledger/{sequence}")
def show_entry(site: CurrentSite, sequence: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Response:
    """Return one entry of the ledger by its number."""
    entry = site.ledger.entry(sequence)
    if entry is None:
        raise NotOnRecord(f"the ledger has no entry {sequence}")
    return answer(ledger_row(entry))


@router.get("/policy")
def show_policy(site: CurrentSite) -> Response:
    """Return the policy in force and its digest."""
    policy = site.project.policy
    return answer({"digest": policy.digest, "policy": policy.recorded}, digest=policy.digest)


@router.get("/budget")
def show_budgets(site: CurrentSite) -> Response:
    """Return every budget: granted, reserved, spent, left."""
    return answer({"budgets": budget_statuses(site.project)})


@router.get("/models")
def show_models(site: CurrentSite) -> Response:
    """Return the language models: price, use, failed edits. Asks none of them."""
    return answer({"models": model_statuses(site.project)})
