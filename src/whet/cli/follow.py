"""Follow proposals to a gate or to their end, and print the result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whet.cli.commands.shared import brief, end_progress, find_proposal, open_project_here
from whet.domain.approval import Answer
from whet.domain.lesson import Ending

if TYPE_CHECKING:
    from whet.app.loop import Loop
    from whet.app.proposal_view import ProposalView

_WITHOUT_PATCH = (Ending.NOT_BUILT, Ending.NOT_PROVEN, Ending.REFUSED)
_SUSPECTS = 3


def follow_cycles(loop: "Loop", reason: str, *, top: int | None, finding: str, tries: int, as_json: bool) -> int:
    """Run at most `tries` cycles, until one produces a patch (deployed, or waiting at a gate).

    A cycle whose proposals all end without a patch leaves lessons, so the next cycle takes the next finding.
    """
    from whet.cli.output import emit, say
    from whet.errors import Refused

    views: list[ProposalView] = []
    for attempt in range(1, tries + 1):
        try:
            proposals = loop.wait_for_cycle(loop.start(reason, top=top, finding=finding))
        except Refused as refusal:
            if attempt == 1:
                raise
            say(f"no further finding is tried: {refusal.message}") if not as_json else None
            break
        ended = [_follow_proposal(loop, proposal, as_json=as_json) for proposal in proposals]
        views += ended
        if not ended or not all(_is_without_patch(view) for view in ended) or finding:
            break
        if attempt < tries and not as_json:
            say("continuing with the next finding")
    end_progress(loop.project)
    if as_json:
        emit([brief(view) for view in views])
    elif not views:
        say(f"nothing to do: {loop.why_nothing() or 'no finding is open'}")
    elif not ended:
        say(f"no other finding can be worked on: {loop.why_nothing()}")
    return max(map(_exit_code, ended or views), default=0)


def _is_without_patch(view: "ProposalView") -> bool:
    return view.lesson is not None and view.lesson.ending in _WITHOUT_PATCH


def follow(loop: "Loop", proposals: Sequence[str], *, as_json: bool) -> int:
    """Follow these proposals; on a terminal, ask at each gate."""
    from whet.cli.output import emit, say

    views = [_follow_proposal(loop, proposal, as_json=as_json) for proposal in proposals]
    end_progress(loop.project)
    if as_json:
        emit([brief(view) for view in views])
    elif not views:
        say(f"nothing to do: {loop.why_nothing() or 'nothing was interrupted and nothing waits'}")
    return max(map(_exit_code, views), default=0)


def _follow_proposal(loop: "Loop", proposal: str, *, as_json: bool) -> "ProposalView":
    from whet.cli.ask import ask_at_gate, is_interactive
    from whet.cli.output import say

    view = loop.wait_for(proposal)
    while view.open_question and not as_json and is_interactive():
        end_progress(loop.project)
        if not ask_at_gate(loop.project, view):
            break
        view = loop.wait_for(proposal)
    end_progress(loop.project)
    if not as_json:
        say(*_ending(view))
    return view


def answer_and_follow(which: str, answer: Answer, why: str, digest: str, *, as_json: bool) -> int:
    """Record an answer at the open gate of a proposal, and follow the proposal from there."""
    from whet.app import decisions
    from whet.app.loop import running
    from whet.cli.output import emit, say
    from whet.errors import AlreadyRunning

    project, view = find_proposal(which)
    approval = decisions.answer(project, view.proposal.id, answer, via="cli", why=why, digest=digest)
    if not as_json:
        say(f"{approval.answer.value} at the {approval.gate.value} gate of {approval.proposal}")
        project = open_project_here(as_json=False)
    try:
        with running(project) as loop:
            code = follow(loop, [view.proposal.id], as_json=as_json)
    except AlreadyRunning:
        emit({"answered": approval}) if as_json else say("another whet process is running and continues with it")
        return 0
    return 0 if answer is Answer.REJECTED and code == 1 else code


def _ending(view: "ProposalView") -> list[str]:
    proposal = view.proposal.id
    if question := view.open_question:
        named = f" --digest {question.digest[:12]}" if question.tier.rank >= 3 else ""
        return [
            f"{proposal} waits at the {question.gate.value} gate (tier {question.tier.value}) until "
            f"{question.expires_at:%Y-%m-%d %H:%M} UTC",
            *_summary(view),
            f"  whet show {proposal}; whet diff {proposal}",
            f'  whet approve {proposal}{named}   or   whet reject {proposal} --why "..."',
        ]
    lesson = view.lesson
    assert lesson is not None  # noqa: S101 - wait_for returns an end or a question
    lines = [f"{proposal}: {lesson.ending.value}: {lesson.summary}"]
    if lesson.ending.worked and view.deployment:
        lines.append(f'  to roll it back: whet rollback {proposal} --why "..."')
    if lesson.ending is Ending.NOT_BUILT:
        lines += _what_to_try(view)
    return lines


def _summary(view: "ProposalView") -> list[str]:
    patch = view.built.patch if view.built else None
    verdict = f"  {view.evidence.verdict.value}: {'; '.join(view.evidence.reasons)}" if view.evidence else ""
    return [line for line in (f"  {patch.summary}" if patch else "", verdict) if line]


def _what_to_try(view: "ProposalView") -> list[str]:
    places = view.proposal.diagnosis.places
    shown = [f"    {place.path}:{place.line} in {place.function}: {place.why}" for place in places[:_SUSPECTS]]
    more = [f"    and {len(places) - _SUSPECTS} more"] if len(places) > _SUSPECTS else []
    return [
        "  the most suspicious lines:", *shown, *more,
        "  next: fix it by hand and prove the fix with `whet prove --patch FILE`; or let the search take longer",
        "        (propose.repair_seconds in whet.toml)",
    ]  # fmt: skip


def _exit_code(view: "ProposalView") -> int:
    if view.open_question:
        return 5
    ending = view.lesson.ending if view.lesson else None
    if ending is None or ending.worked or ending is Ending.NOTHING:
        return 0
    return 3 if ending is Ending.REFUSED else 1
