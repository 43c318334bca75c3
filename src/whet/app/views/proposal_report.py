"""A proposal as plain data: what `whet list --json`, `whet show --json` and the MCP server give."""

from typing import Any

from whet.app.views.proposal_view import ProposalView
from whet.domain.lesson import Ending


def brief(view: ProposalView) -> dict[str, Any]:
    """Return the state of a proposal: its status, verdict, open question and end."""
    question, deployment = view.open_question, view.deployment
    return {
        "proposal": view.proposal.id,
        "status": view.status,
        "stage": stage(view),
        "failure": failure(view),
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


def stage(view: ProposalView) -> str:
    """Return where a proposal is: `queued` (recorded, not begun), `running`, `waiting` (for a person), or how it ended."""
    if view.lesson:
        return view.lesson.ending.value
    if view.open_question:
        return "waiting"
    begun = view.built or view.approvals or view.errors
    return "running" if begun else "queued"


def failure(view: ProposalView) -> str | None:
    """Return the code of a failure, None if there is none.

    `tests_failed`: the patch did not pass its proof. Otherwise the code of the error or of the guard's rule, such as
    `model_unavailable`, `worktree_not_clean`, `diff_suffix_not_allowed`.
    """
    lesson = view.lesson
    if lesson is None or lesson.ending.worked or lesson.ending is Ending.NOTHING:
        return None
    return "tests_failed" if lesson.ending is Ending.NOT_PROVEN else lesson.code or lesson.ending.value


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
        "reviews": view.reviews,
        "votes": view.votes,
        "approvals": view.approvals,
        "rulings": view.rulings,
        "trials": view.trials,
        "watches": view.watches,
        "deployments": view.deployments,
        "rollbacks": view.rollbacks,
        "followings": view.followings,
        "requests": view.requests,
        "objections": view.objections,
        "inquiries": view.inquiries,
        "replies": view.replies,
        "lesson": view.lesson,
        "errors": view.errors,
    }
