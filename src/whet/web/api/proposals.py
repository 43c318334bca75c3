"""Proposals: the list, one, its evidence, its patch and its report."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import PlainTextResponse, Response

from whet.app.proofs.prove import report
from whet.app.views.proposal_report import brief, full
from whet.app.views.proposal_view import ProposalView, resolve, view_proposal
from whet.domain.evidence import Evidence
from whet.domain.evidence_markdown import render as render_evidence
from whet.domain.patch import Patch
from whet.errors import NotOnRecord
from whet.web.answers import answer
from whet.web.api.paging import After, Limit, Word
from whet.web.security.callers import READING
from whet.web.site import CurrentSite, Site

router = APIRouter(prefix="/proposals", tags=["proposals"], dependencies=READING)
ProposalStart = Annotated[str, Path(max_length=80, description="A proposal, by the beginning of its id.")]


@router.get("")
def list_proposals(site: CurrentSite, after: After = 0, limit: Limit = 50, status: Word = "") -> Response:
    """List proposals in the order of the record. `next` is the cursor of the next page, or null."""
    rows = []
    cursor = after
    while page := site.ledger.entries(kind="Proposal", after=cursor, most=limit):
        for entry in page:
            view = view_proposal(site.ledger, entry.subject)
            cursor = entry.seq
            if not status or view.status == status:
                rows.append(brief(view))
            if len(rows) == limit:
                return answer({"proposals": rows, "next": cursor})
    return answer({"proposals": rows, "next": None})


@router.get("/{proposal}")
def show_proposal(site: CurrentSite, proposal: ProposalStart) -> Response:
    """Return everything on record about a proposal. The ETag is the digest of its evidence."""
    view = view_of(site, proposal)
    return answer({**brief(view), **full(view)}, digest=view.evidence.digest if view.evidence else "")


@router.get("/{proposal}/evidence")
def show_evidence(site: CurrentSite, proposal: ProposalStart) -> Response:
    """Return the evidence of a proposal, the verdict first."""
    evidence = evidence_of(view_of(site, proposal))
    return answer(report(evidence), digest=evidence.digest)


@router.get("/{proposal}/diff")
def show_diff(site: CurrentSite, proposal: ProposalStart) -> Response:
    """Return the patch of a proposal as data, with secrets redacted."""
    return answer(_patch_of(view_of(site, proposal)))


@router.get(
    "/{proposal}/patch",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/x-diff": {"schema": {"type": "string"}}}}},
)
def download_patch(site: CurrentSite, proposal: ProposalStart) -> Response:
    """Return the patch byte for byte, for `git apply`."""
    patch = _patch_of(view_of(site, proposal))
    headers = {"Content-Disposition": "attachment; filename=change.patch"}
    return Response(site.project.git.diff(patch.base, patch.tree), media_type="text/x-diff", headers=headers)


@router.get(
    "/{proposal}/report",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}},
)
def show_report(site: CurrentSite, proposal: ProposalStart) -> Response:
    """Return the evidence as Markdown, as `whet prove --format markdown` prints it."""
    evidence = evidence_of(view_of(site, proposal))
    return Response(render_evidence(evidence), media_type="text/markdown", headers={"ETag": f'"{evidence.digest}"'})


def view_of(site: Site, start: str) -> ProposalView:
    """Return the proposal whose id begins so. Raise NotOnRecord if there is none."""
    return view_proposal(site.ledger, resolve(site.ledger, start))


def evidence_of(view: ProposalView) -> Evidence:
    if view.evidence is None:
        raise NotOnRecord(f"{view.proposal.id} has no evidence yet", "try again when it has been validated")
    return view.evidence


def _patch_of(view: ProposalView) -> Patch:
    if view.built is None or view.built.patch is None:
        note = f": {view.built.note}" if view.built else " yet"
        raise NotOnRecord(f"{view.proposal.id} has no patch{note}")
    return view.built.patch
