"""Follow proposals to a gate or to their end, and print the result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whet.app.views.proposal_report import brief
from whet.cli.commands.shared import end_progress, open_project_here
from whet.domain.approval import Answer
from whet.domain.lesson import Ending
from whet.domain.sanitize import one_line
from whet.errors import ModelUnavailable, UsageError

if TYPE_CHECKING:
    from whet.app.approvals.decisions import Receipt
    from whet.app.cycles.loop import Loop
    from whet.app.project import Project
    from whet.app.views.proposal_view import ProposalView

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
        if not ended or not all(_is_without_patch(view) for view in ended):
            break
        if finding and loop.project.policy.models.author is None:
            break  # another cycle would ask the same engine
        if attempt < tries and not as_json:
            other = "finding" if loop.project.policy.models.author is None else "engine or finding"
            say(f"continuing with the next {other}")
    end_progress(loop.project)
    if as_json:
        emit([brief(view) for view in views])
    elif not views:
        say(f"nothing to do: {loop.why_nothing() or 'no finding is open'}")
    elif not ended:
        say(f"no other finding can be worked on: {loop.why_nothing()}")
    return max(map(_exit_code, ended or views), default=0)


def _is_without_patch(view: "ProposalView") -> bool:
    lesson = view.lesson
    return lesson is not None and (lesson.ending in _WITHOUT_PATCH or lesson.code == ModelUnavailable.code)


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
    from whet.cli.ask import is_interactive
    from whet.cli.output import say

    view = loop.wait_for(proposal)
    while view.open_question and not view.waits_on_forge and not as_json and is_interactive():
        end_progress(loop.project)
        if not _ask(loop.project, view):
            break
        view = loop.wait_for(proposal)
    end_progress(loop.project)
    if not as_json:
        say(*_ending(view))
    return view


def _ask(project: "Project", view: "ProposalView") -> bool:
    """Ask about an undecided call first, and at the gate once nothing is undecided."""
    from whet.cli.ask import ask_at_gate
    from whet.cli.ask_undecided import ask_undecided

    undecided = view.undecided
    return ask_undecided(project, view) if undecided and undecided.testable else ask_at_gate(project, view)


def follow_question(project: "Project", view: "ProposalView") -> int:
    """Ask on the terminal about the undecided call of a proposal, and follow the proposal from there."""
    from whet.app.approvals.rulings import undecided_call
    from whet.app.cycles.loop import running
    from whet.cli.output import say
    from whet.errors import AlreadyRunning

    undecided_call(view)  # refuse before anything is started
    try:
        with running(open_project_here(as_json=False)) as loop:
            return follow(loop, [view.proposal.id], as_json=False)
    except AlreadyRunning:
        if not _ask(project, view):
            return 5
        say("another whet process is running and continues with it")
        return 0


def undecided_first(view: "ProposalView") -> UsageError:
    """Return the error for a yes to a patch whose behaviour is undecided, given without a reason."""
    call, proposal = view.undecided, view.proposal.id
    sentence = call.sentence if call else ""
    how = f"`whet answer {proposal} 1` decides it; " if call and call.testable else ""
    return UsageError(sentence, f'{how}`whet approve {proposal} --why "..."` takes the patch as it is')


def follow_answer(project: "Project", proposal: str, receipt: "Receipt", *, as_json: bool) -> int:
    """Say what became of an answer, and follow the proposal from there."""
    from whet.app.cycles.loop import running
    from whet.app.views.proposal_view import view_proposal
    from whet.cli.ask import missing_line
    from whet.cli.output import emit, say
    from whet.errors import AlreadyRunning

    approval = receipt.approval
    if approval is None:
        emit([brief(view_proposal(project.ledger, proposal))]) if as_json else say(missing_line(receipt))
        return 5
    if not as_json:
        proven = all(voter.proven for voter in approval.voters)
        by = (f" by {approval.people}" if proven else " (unproven approver)") if approval.granted else ""
        if approval.ruling:
            say(f"decided by {approval.people}: {one_line(approval.ruling.sentence)}")
        else:
            say(f"{approval.answer.value} at the {approval.gate.value} gate of {approval.proposal}{by}")
        project = open_project_here(as_json=False)
    try:
        with running(project) as loop:
            code = follow(loop, [proposal], as_json=as_json)
    except AlreadyRunning:
        emit({"answered": approval}) if as_json else say("another whet process is running and continues with it")
        return 0
    return 0 if receipt.answer is Answer.REJECTED and code == 1 else code


def _ending(view: "ProposalView") -> list[str]:
    proposal = view.proposal.id
    if view.waits_on_forge and view.request and view.open_question:
        return [
            f"{proposal} waits on the forge until {view.open_question.expires_at:%Y-%m-%d %H:%M} UTC: {view.request.url}",
            *_summary(view),
            "  merge or close the pull request there; then `whet resume`, or the next `whet run`, goes on",
            f'  whet withdraw {proposal} --why "..."   closes it',
        ]
    if question := view.open_question:
        return [
            f"{proposal} waits at the {question.gate.value} gate (tier {question.tier.value}) until "
            f"{question.expires_at:%Y-%m-%d %H:%M} UTC",
            *_summary(view),
            *_undecided(view),
            f"  whet show {proposal}; whet diff {proposal}",
            f'  whet approve {proposal}   or   whet reject {proposal} --why "..."',
        ]
    lesson = view.lesson
    assert lesson is not None  # noqa: S101 - wait_for returns an end or a question
    lines = [f"{proposal}: {lesson.ending.value}: {lesson.summary}"]
    if lesson.ending.worked and view.deployment:
        lines.append(f'  to roll it back: whet rollback {proposal} --why "..."')
    if lesson.ending is Ending.NOT_BUILT:
        lines += _what_to_try(view)
    return lines


def _undecided(view: "ProposalView") -> list[str]:
    from whet.cli.views.undecided import question_lines

    call, proposal = view.undecided, view.proposal.id
    if call is None or not call.testable:
        return []
    question = [f"  {line}" for line in question_lines(call, view.evidence.patch_digest if view.evidence else "")]
    return [*question, f'  whet answer {proposal} 1   or   whet answer {proposal} --value "..."']


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
        "  next: fix it by hand and prove the fix with `whet prove --patch FILE`", *_more_of(view.proposal.engine),
    ]  # fmt: skip


def _more_of(engine: str) -> list[str]:
    """Return how an engine can be given more room, in whet.toml."""
    advice = {
        "repair": "let the search take longer (propose.repair_seconds",
        "model": "allow more answers (models.samples, models.rounds",
        "agent": "give the agent more time or tokens (agent.seconds, agent.tokens",
    }
    return [f"        or {advice[engine]} in whet.toml)"] if engine in advice else []


def _exit_code(view: "ProposalView") -> int:
    if view.open_question:
        return 5
    ending = view.lesson.ending if view.lesson else None
    if ending is None or ending.worked or ending is Ending.NOTHING:
        return 0
    return 3 if ending is Ending.REFUSED else 1
