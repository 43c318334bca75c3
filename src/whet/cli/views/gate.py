"""A proposal on one screen: what a person needs to decide, and nothing else."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.app.proposal_view import ProposalView
from whet.cli.views import screen
from whet.cli.views.screen import COLOURS, foreign
from whet.domain.approval import Question
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.plural import count
from whet.domain.sanitize import one_line
from whet.domain.verdict import Verdict

_MOST_TESTS = 3


def proposal_screen(view: ProposalView) -> RenderableType:
    """Show verdict, diff, proof, open questions and what is asked."""
    patch = view.built.patch if view.built else None
    parts: list[RenderableType] = [_head(view, patch)]
    if patch:
        parts.append(screen.diff(patch.diff))
    facts = Table.grid(padding=(0, 2))
    for name, value, colour in _facts(view):
        if value:
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
        ("proved", _proved(bundle) if bundle else "", ""),
        ("open", "\n".join(_open(view)), "yellow"),
        ("found by", build.note if build else "", ""),
        (
            "on real calls",
            "\n".join(f"{trial.mode.value}: {trial.state.value}: {trial.why}" for trial in view.trials),
            "",
        ),
        ("watched", "\n".join(f"{watch.state.value}: {watch.why}" for watch in view.watches), ""),
        ("rolled back", "\n".join(f"by {rollback.actor}: {rollback.reason}" for rollback in view.rollbacks), ""),
        ("asks", _asks(question) if question else "", "bold"),
        ("ended", f"{lesson.ending.value}: {lesson.summary}" if lesson else "", ""),
    ]


def _proved(bundle: Evidence) -> str:
    """Say what the checks showed, in a line each."""
    lines = []
    for check in bundle.checks:
        facts = []
        if check.saw_red:
            facts.append(f"red -> green -> red on revert: {_listed(check.red)}")
        if check.also_mended:
            facts.append(f"also fixed: {_listed(check.also_mended)}")
        if check.held:
            facts.append(f"{count(check.held, 'other test')} unchanged")
        passed = [safeguard for safeguard in check.safeguards if safeguard.verdict is Verdict.PASSED]
        if passed:
            facts.append(count(len(passed), "safeguard"))
        lines.append("; ".join(facts) or check.reason)
    return "\n".join(lines)


def _open(view: ProposalView) -> list[str]:
    """Return what the proof leaves open, most important first."""
    bundle = view.evidence
    if bundle is None:
        return []
    lines = [] if bundle.verdict is Verdict.PASSED else list(bundle.reasons)
    if view.built and view.built.disagreement:
        lines.append(f"{view.built.disagreement}; no test says which is right")
    for check in bundle.checks:
        if check.flaky:
            lines.append(f"flaky, set apart: {_listed(check.flaky)}")
        if check.still_red:
            lines.append(f"red before and after: {_listed(check.still_red)}")
    lines += [f"guard: {finding.reason}" for finding in bundle.guard if finding.severity != "note"]
    return lines


def _listed(tests: tuple[str, ...]) -> str:
    rest = len(tests) - _MOST_TESTS
    return ", ".join(map(one_line, tests[:_MOST_TESTS])) + (f" and {rest} more" if rest > 0 else "")


def _asks(question: Question) -> str:
    until = f"{question.expires_at:%a %d %b %H:%M} UTC"
    return f"{question.tier.value} at the {question.gate.value} gate, until {until}"
