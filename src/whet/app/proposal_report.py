"""A proposal as plain data: what `whet list --json`, `whet show --json` and the MCP server give."""

from typing import Any

from whet.app.proposal_view import ProposalView


def brief(view: ProposalView) -> dict[str, Any]:
    """Return the state of a proposal: its status, verdict, open question and end."""
    question, deployment = view.open_question, view.deployment
    return {
        "proposal": view.proposal.id,
        "status": view.status,
        "title": view.proposal.title,
        "summary": view.built.patch.summary if view.built and view.built.patch else "",
        "engine": view.proposal.engine,
        "risk": view.proposal.risk,
        "verdict": view.evidence.verdict if view.evidence else None,
        "evidence_digest": view.evidence.digest if view.evidence else None,
        "open_question": question,
        "pull_request": view.request.url if view.request else None,
        "undecided": _undecided(view),
        "deployment": deployment.id if deployment else None,
        "commit": deployment.after if deployment else None,
        "ending": view.lesson.ending if view.lesson else None,
        "code": view.lesson.code if view.lesson else None,
        "why": view.lesson.summary if view.lesson else None,
    }


def _undecided(view: ProposalView) -> dict[str, Any] | None:
    """Return the call that a person should decide, with its numbered answers; None if none is undecided."""
    call = view.undecided
    if call is None:
        return None
    answers = [
        {"number": number, "text": answer.text, "patches": answer.patches}
        for number, answer in enumerate(call.answers, 1)
    ]
    return {"id": call.id, "call": call.call, "path": call.path, "testable": call.testable, "answers": answers}


def full(view: ProposalView) -> dict[str, Any]:
    """Return every noun on record about a proposal."""
    return {
        "record": view.proposal,
        "built": view.built,
        "evidence": view.evidence,
        "scope": view.evidence.scope if view.evidence else None,
        "votes": view.votes,
        "approvals": view.approvals,
        "rulings": view.rulings,
        "trials": view.trials,
        "watches": view.watches,
        "deployments": view.deployments,
        "rollbacks": view.rollbacks,
        "requests": view.requests,
        "lesson": view.lesson,
        "errors": view.errors,
    }
