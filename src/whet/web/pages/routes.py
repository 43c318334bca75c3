"""The addresses of the pages."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from whet.app.approvals import decisions
from whet.app.deployments.rollback import rollback
from whet.app.findings.deferred import deferred
from whet.app.project import Project
from whet.app.views.proposal_report import brief, full
from whet.app.views.proposal_view import resolve
from whet.domain.approval import Answer
from whet.errors import NotOnRecord, Refused
from whet.web.answers import answer as json_answer
from whet.web.pages import static_files
from whet.web.pages.export import export_proposal
from whet.web.pages.findings_page import findings_page
from whet.web.pages.ledger_page import export_lines, ledger_page
from whet.web.pages.markdown import as_markdown
from whet.web.pages.policy_page import policy_page
from whet.web.pages.proposal_page import HeldQuery, ProposalPage, proposal_page
from whet.web.pages.queue_page import queue_page
from whet.web.pages.strip import strip_of
from whet.web.pages.template import render
from whet.web.security.callers import READING, CurrentCaller
from whet.web.site import CurrentSite, Site

router = APIRouter(include_in_schema=False, dependencies=READING)
open_router = APIRouter(include_in_schema=False)
"""The files that a page without a session needs too."""


def show(site: Site, project: Project, template: str, tab: str = "", **values: Any) -> HTMLResponse:
    """Return a page with the strip on top."""
    html = render(
        template,
        root=site.root,
        tab=tab,
        standalone=False,
        strip=strip_of(project),
        static=static_files.address,
        integrity=static_files.integrity,
        **values,
    )
    return HTMLResponse(html)


@open_router.get("/static/{_digest}/{name:path}")
def static(name: str) -> Response:
    """Return a static file. The digest in the address only tells versions apart."""
    return static_files.answer(name)


@router.get("/")
def queue(site: CurrentSite) -> Response:
    project = site.project
    return show(site, project, "queue.html", "Queue", page=queue_page(project), deferred=deferred(project))


@router.get("/findings")
def findings(site: CurrentSite) -> Response:
    project = site.project
    return show(site, project, "findings.html", "Findings", page=findings_page(project))


def ledger_filters(phase: str = "", kind: str = "", subject: str = "", actor: str = "") -> dict[str, str]:
    """Return the filters of the ledger in an address."""
    return {"phase": phase, "kind": kind, "subject": subject, "actor": actor}


LedgerFilters = Annotated[dict[str, str], Depends(ledger_filters)]


@router.get("/ledger")
def ledger(site: CurrentSite, filters: LedgerFilters, before: int = 0) -> Response:
    project = site.project
    page, checked = ledger_page(project, min(max(before, 0), 2**62), filters), site.checks.latest(project)
    return show(site, project, "ledger.html", "Ledger", page=page, checked=checked)


@router.post("/ledger/check")
def check_ledger(site: CurrentSite) -> Response:
    """Audit the record, as `whet audit` does, and show the result. Changes nothing."""
    site.checks.check(site.project)
    return RedirectResponse(f"{site.root}/ledger#audit", status_code=303)


@router.get("/ledger/export")
def export_ledger(site: CurrentSite, filters: LedgerFilters) -> Response:
    """Return the entries that the filters keep as a file of JSON lines."""
    return StreamingResponse(
        export_lines(site.ledger, filters),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="ledger.jsonl"'},
    )


@router.get("/ledger/{seq}")
def ledger_row(site: CurrentSite, seq: int) -> Response:
    """Return a row of the ledger as JSON, whole."""
    entry = site.ledger.entry(min(max(seq, 0), 2**62))
    if entry is None:
        raise NotOnRecord(f"the ledger has no row {seq}", "its last row is on the page of the ledger")
    return PlainTextResponse(json.dumps(entry.data, indent=2), media_type="application/json")


@router.get("/policy")
def policy(site: CurrentSite) -> Response:
    project = site.project
    return show(site, project, "policy.html", "Policy", page=policy_page(project))


@router.get("/p/{identity}")
def proposal(site: CurrentSite, identity: str, held: str = "", page: int = 1) -> Response:
    project = site.project
    found = resolve(project.ledger, identity)
    if found != identity:
        return RedirectResponse(f"{site.root}/p/{found}", status_code=307)
    shown = proposal_page(project, identity, HeldQuery(held[:200], min(max(page, 1), 1_000_000)))
    return show(site, project, "proposal.html", "Queue", page=shown)


@router.get("/p/{identity}/patch")
def patch(site: CurrentSite, identity: str) -> Response:
    """Return the patch for `git apply`, as the record has it."""
    view = proposal_page(site.project, identity).view
    if view.built is None or view.built.patch is None:
        raise NotOnRecord(f"{identity} has no patch", "it has not been built, or the search found none")
    name = f'attachment; filename="{view.proposal.id}.patch"'
    return PlainTextResponse(view.built.patch.diff, headers={"Content-Disposition": name})


@router.get("/p/{identity}/json")
def as_json(site: CurrentSite, identity: str) -> Response:
    view = proposal_page(site.project, identity).view
    return json_answer({**brief(view), **full(view)})


@router.get("/p/{identity}/markdown")
def markdown(site: CurrentSite, identity: str) -> Response:
    return PlainTextResponse(as_markdown(proposal_page(site.project, identity)))


@router.get("/p/{identity}/export")
def export(site: CurrentSite, identity: str) -> Response:
    """Return the page as one file to keep. It is a download, because its style sheet is inside."""
    html = export_proposal(site.project, identity)
    return HTMLResponse(html, headers={"Content-Disposition": f'attachment; filename="{identity}.html"'})


def asked(site: Site, identity: str) -> tuple[Project, ProposalPage]:
    """Return the page of a proposal whose gate is open. Raise Refused if nothing is asked."""
    project = site.project
    page = proposal_page(project, identity)
    if page.question is None:
        raise Refused(f"{identity} has no open question: {page.status}", f"see {site.root}/p/{identity}")
    return project, page


@router.get("/p/{identity}/reject")
def reject_form(site: CurrentSite, identity: str) -> Response:
    project, page = asked(site, identity)
    return show(site, project, "reject.html", "Queue", page=page, may_reject=site.settings.is_loopback)


def only_browsers(caller: CurrentCaller) -> None:
    """Refuse a program with a token: a token rejects nothing, takes nothing back, and answers no question to people."""
    if caller.name != "browser":
        raise Refused(
            "only a person in a browser may do this here",
            "`whet reject`, `whet rollback` and `whet reply` are for terminals",
        )


@router.post("/p/{identity}/reject", dependencies=[Depends(only_browsers)])
def reject(
    site: CurrentSite,
    identity: str,
    why: Annotated[str, Form()] = "",
    digest: Annotated[str, Form()] = "",
) -> Response:
    """Record a no, in the name of the user of this process. It needs no signature: a no deploys nothing."""
    if not site.settings.is_loopback:
        raise Refused("this server is reached from other machines, so it cannot say who rejects", "whet reject ID")
    if not why.strip() or not digest:
        raise Refused("a no needs a reason and the digest that it is about", f"open {site.root}/p/{identity}/reject")
    given = decisions.GivenAnswer(via="web", why=why.strip(), digest=digest)
    decisions.answer(site.project, resolve(site.ledger, identity), Answer.REJECTED, given)
    return RedirectResponse(f"{site.root}/p/{identity}", status_code=303)


@router.get("/p/{identity}/rollback")
def rollback_form(site: CurrentSite, identity: str) -> Response:
    project = site.project
    page = proposal_page(project, resolve(project.ledger, identity))
    return show(site, project, "rollback.html", "Queue", page=page, may_roll_back=site.settings.is_loopback)


@router.post("/p/{identity}/rollback", dependencies=[Depends(only_browsers)])
def roll_back(site: CurrentSite, identity: str, why: Annotated[str, Form()] = "") -> Response:
    """Roll back a deployment, in the name of the user of this process, as `whet rollback` does. It needs no signature:
    it brings back what was there before."""
    if not site.settings.is_loopback:
        raise Refused(
            "this server is reached from other machines, so it cannot say who rolls back", "whet rollback ID --why ..."
        )
    if not why.strip():
        raise Refused("a rollback needs a reason", f"open {site.root}/p/{identity}/rollback")
    project = site.project
    proposal = resolve(project.ledger, identity)
    rollback(project, proposal, why.strip())
    return RedirectResponse(f"{site.root}/p/{proposal}", status_code=303)
