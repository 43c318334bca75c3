"""A proposal on one screen: what a person needs to decide, and nothing else."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.app.views.proposal_view import ProposalView
from whet.cli.views import screen
from whet.cli.views.screen import COLOURS, foreign
from whet.cli.views.undecided import question_lines
from whet.domain.approval import Question
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.plural import shorten
from whet.domain.sanitize import one_line
from whet.domain.statement import field_of
from whet.domain.verdict import Verdict

_MOST_TESTS = 3


def proposal_screen(view: ProposalView, *, asking: bool = False) -> RenderableType:
    """Show verdict, diff, proof, open questions and what is asked; without the question that the caller is `asking`."""
    patch = view.built.patch if view.built else None
    parts: list[RenderableType] = [_head(view, patch)]
    if patch:
        parts.append(screen.diff(patch.diff))
    facts = Table.grid(padding=(0, 2))
    for name, value, colour in _facts(view):
        if value and not (asking and name == "question"):
            facts.add_row(f"  [dim]{name}[/]", f"[{colour}]{foreign(value)}[/]" if colour else foreign(value))
    return Group(*parts, facts)


def _head(view: ProposalView, patch: Patch | None) -> RenderableType:
    summary = one_line(patch.summary if patch else view.proposal.title)
    head = Text.assemble((view.proposal.id, "bold"), f"  {summary}")
    if bundle := view.evidence:
        verdict = f"{bundle.verdict.value.upper()}, {bundle.cost.seconds:.1f} s"
        head.append(f"  {verdict}", style=f"bold {COLOURS[bundle.verdict.value]}")
    else:
        head.append(f"  {view.status}", style="bold")
    return head


def _facts(view: ProposalView) -> list[tuple[str, str, str]]:
    bundle, lesson, question = view.evidence, view.lesson, view.open_question
    build = view.built
    return [
        ("fixes", one_line(view.proposal.diagnosis.finding.title), ""),
        *(_scope(bundle) if bundle else []),
        ("open", "\n".join(_open(view)), "yellow"),
        ("review", "\n".join(_review(view)), "yellow"),
        ("objections", "\n".join(_objections(view)), "yellow"),
        ("decided", "\n".join(f"{ruling.sentence}, by {ruling.by}" for ruling in view.rulings), ""),
        ("found by", build.note if build else "", ""),
        (
            "on real calls",
            "\n".join(f"{trial.mode.value}: {trial.state.value}: {trial.why}" for trial in view.trials),
            "",
        ),
        ("watched", "\n".join(f"{watch.state.value}: {watch.why}" for watch in view.watches), ""),
        *((rollback.words, f"by {rollback.actor}: {rollback.reason}", "") for rollback in view.rollbacks),
        ("approved by", "\n".join(_approved(view)), ""),
        ("asks", _asks(view, question) if question else "", "bold"),
        ("question", "\n".join(_question(view)), "bold"),
        ("ended", f"{lesson.ending.value}: {lesson.summary}" if lesson else "", ""),
    ]


def _scope(bundle: Evidence) -> list[tuple[str, str, str]]:
    """Say what the checks showed, name the tests that turned green, and say what was not looked at."""
    green = [test for check in bundle.checks if check.saw_red for test in (*check.red, *check.also_mended)]
    shown, not_examined = ("; ".join(map(one_line, part)) for part in (bundle.scope.shown, bundle.scope.not_examined))
    return [
        ("proved" if bundle.verdict is Verdict.PASSED else "shown", shown, ""),
        ("turned green", shorten([one_line(test) for test in green], _MOST_TESTS), ""),
        ("not looked at", not_examined, ""),
    ]


def _open(view: ProposalView) -> list[str]:
    """Return what the proof leaves open, most important first."""
    bundle = view.evidence
    if bundle is None:
        return []
    lines = [] if bundle.verdict is Verdict.PASSED else list(bundle.reasons)
    if view.built and view.built.difference:
        lines.append(f"{view.built.difference}; no test says which is right")
    lines += [f"guard: {finding.reason}" for finding in bundle.guard if finding.severity != "note"]
    return lines


def _review(view: ProposalView) -> list[str]:
    """Return what the reviewer model said about the patch that is shown."""
    bundle = view.evidence
    return [
        line
        for review in view.reviews
        if bundle and review.evidence == bundle.digest
        for line in (f"{review.model or 'no model'}: {review.answer.value}", *review.remarks, review.why_not)
        if line
    ]


def _objections(view: ProposalView) -> list[str]:
    """Return what agents object to, each with the program's own name for itself."""
    digest = view.evidence.digest if view.evidence else ""
    return [
        f"{each.by}: {one_line(each.why)}{'' if each.evidence == digest else ' (about earlier evidence)'}"
        for each in view.objections
    ]


def _question(view: ProposalView) -> list[str]:
    """Return the question about an undecided call, and how to answer it."""
    call, identity = view.undecided, view.proposal.id
    if call is None or not call.testable:
        return []
    patch = view.evidence.patch_digest if view.evidence else ""
    return [*question_lines(call, patch), f'whet answer {identity} 1   or   whet answer {identity} --value "..."']


def _approved(view: ProposalView) -> list[str]:
    """Return who said yes, with the strength of the proof, and who voted at a gate that still waits for others."""
    lines = [
        f"{approval.gate.value} gate: {approval.people}"
        for approval in view.approvals
        if approval.granted and approval.approver == "person"
    ]
    question = view.open_question
    waiting = [vote for vote in view.votes if question and question.nonce == field_of(vote.statement, "question")]
    if question and waiting:
        people = ", ".join(dict.fromkeys(field_of(vote.statement, "who") for vote in waiting))
        lines.append(f"{question.gate.value} gate: {people} so far")
    return lines


def _asks(view: ProposalView, question: Question) -> str:
    until = f"{question.expires_at:%a %d %b %H:%M} UTC"
    if view.undecided and view.undecided.testable:
        return f"an answer before the apply gate asks for a yes, until {until}"
    return f"{question.tier.value} at the {question.gate.value} gate, until {until}"
