"""The page of one proposal: everything that a person needs in order to decide, in the order in which to read it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from whet.app.agent_notes.ask import InquiryState, with_replies
from whet.app.project import Project
from whet.app.views.call_rates import trial_rates, watch_rates
from whet.app.views.proposal_view import ProposalView, assemble
from whet.domain.approval import Question
from whet.domain.clock import now
from whet.domain.evidence import Evidence
from whet.domain.objection import Objection, notes_of
from whet.domain.plural import count
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.errors import UsageError
from whet.ledger.entry import Entry, Head
from whet.web.pages.diff_view import ShownFile, is_coloured, show_diff
from whet.web.pages.figures import matrix, plots, timeline
from whet.web.pages.figures.rates_plot import ShownRates, show_rates
from whet.web.pages.figures.trial_plot import trial_plots
from whet.web.pages.running_trial import RunningTrial, running_trial
from whet.web.pages.standing import GateStanding, standing_of
from whet.web.pages.text import duration

SECTIONS = (
    ("why", "Why"), ("change", "Change"), ("proof", "Proof"), ("against", "Against"), ("trial", "Trial"),
    ("record", "Record"),
)  # fmt: skip


@dataclass(frozen=True)
class HeldQuery:
    """The part of the held tests that a reader asked for."""

    query: str = ""
    page: int = 1


@dataclass(frozen=True)
class CheckMatrix:
    """A check with its matrix, and its safeguards in the order of their weight."""

    check: CheckResult
    groups: tuple[matrix.MatrixGroup, ...]
    held: matrix.HeldTests
    safeguards: tuple[SafeguardResult, ...]


@dataclass(frozen=True)
class Counterpoint:
    """One thing that speaks against the change. `weight` is `strong` or `weak`."""

    weight: str
    source: str
    words: str


@dataclass(frozen=True, kw_only=True)
class ProposalPage:
    """Everything that the template of a proposal shows."""

    view: ProposalView
    status: str
    summary: str
    verdict: str
    digest: str
    question: Question | None
    standing: GateStanding | None
    files: tuple[ShownFile, ...]
    coloured: bool
    checks: tuple[CheckMatrix, ...]
    against: tuple[Counterpoint, ...]
    inquiries: tuple[InquiryState, ...]
    running: RunningTrial | None
    trial_plots: tuple[plots.Plot, ...]
    trial_rates: tuple[ShownRates | None, ...]
    watch_rates: tuple[ShownRates | None, ...]
    steps: Sequence[timeline.TimelineStep]
    phase_plot: plots.Plot
    working: float
    waiting: float
    costs: tuple[tuple[str, str], ...]
    head: Head
    now: datetime

    @property
    def deciding(self) -> tuple[Counterpoint, ...]:
        """The strong points against the change: what a person must have read before a yes."""
        return tuple(point for point in self.against if point.weight == "strong")

    @property
    def sections(self) -> tuple[tuple[str, str], ...]:
        return SECTIONS


def proposal_page(project: Project, identity: str, held: HeldQuery | None = None) -> ProposalPage:
    """Return the page of a proposal by its full id."""
    entries = project.ledger.entries(subject=identity)
    if not any(entry.kind == "Proposal" for entry in entries):
        raise UsageError(f"there is no proposal {identity!r}", "the queue lists those there are")
    view, at = assemble(entries, project.ledger.entries(subject=notes_of(identity))), now()
    question, evidence = view.open_question, view.evidence
    patch = view.built.patch if view.built else None
    steps = timeline.timeline(entries, at, still_open=question is not None)
    return ProposalPage(
        view=view,
        status=view.status.replace("_", " "),
        summary=patch.summary if patch else view.proposal.title,
        verdict=evidence.verdict.value if evidence else "",
        digest=question.digest if question else evidence.digest if evidence else view.proposal.digest,
        question=question,
        standing=standing_of(project, view, question) if question else None,
        files=show_diff(patch.diff, evidence.guard if evidence else ()) if patch else (),
        coloured=is_coloured(patch.diff) if patch else True,
        checks=_checks(project, evidence, held or HeldQuery()) if evidence else (),
        against=tuple(_against(view)),
        inquiries=tuple(with_replies(view.inquiries, view.replies)),
        running=running_trial(project, view.open_trial, at) if view.open_trial else None,
        trial_plots=trial_plots(project, view),
        trial_rates=tuple(_trial_rates(project, view)),
        watch_rates=tuple(_watch_rates(project, view)),
        steps=steps,
        phase_plot=_phase_plot(steps),
        working=sum(step.seconds for step in steps if not step.waiting),
        waiting=sum(step.seconds for step in steps if step.waiting),
        costs=tuple(_costs(view, entries)),
        head=project.ledger.head(),
        now=at,
    )


def _checks(project: Project, evidence: Evidence, held: HeldQuery) -> tuple[CheckMatrix, ...]:
    from whet.domain.verdict import deciding_first

    return tuple(
        CheckMatrix(
            check,
            matrix.groups(check),
            matrix.held(project, evidence, check, held.query, held.page),
            deciding_first(check.safeguards),
        )
        for check in evidence.checks
    )


def _against(view: ProposalView) -> list[Counterpoint]:
    """Return what speaks against a change, strongest first: an approver must meet it before the trial."""
    evidence, built = view.evidence, view.built
    strong: list[Counterpoint] = []
    weak: list[Counterpoint] = []
    objections = [Counterpoint("weak", "objection", _objection(view, each)) for each in view.objections]
    if evidence is None:
        return [Counterpoint("strong", "proof", "Nothing has been proved yet."), *objections]
    if evidence.verdict is not Verdict.PASSED:
        strong += [Counterpoint("strong", "verdict", reason) for reason in _reasons_of_their_own(evidence)]
    if evidence.undecided:
        strong.append(Counterpoint("strong", "undecided call", evidence.undecided.sentence))
    for remark in evidence.guard:
        weight = "weak" if remark.severity == "note" else "strong"
        (weak if weight == "weak" else strong).append(
            Counterpoint(weight, f"guard, {remark.severity}", f"{remark.path}: {remark.reason}")
        )
    for check in evidence.checks:
        strong += [Counterpoint("strong", guard.name, guard.words) for guard in check.safeguards if guard.decides]
    if built and built.difference:
        weak.append(Counterpoint("weak", "other patches", f"{built.difference}; no test says which is right"))
    if built and built.rivals:
        weak.append(
            Counterpoint("weak", "rivals", f"{count(len(built.rivals), 'other patch')} did as well in the search")
        )
    weak += [Counterpoint("weak", "not looked at", clause) for clause in evidence.scope.not_examined]
    return [*strong, *objections, *weak]


def _objection(view: ProposalView, objection: Objection) -> str:
    """Return an objection with the program's own name for itself. It is not verified."""
    digest = view.evidence.digest if view.evidence else ""
    when = "" if objection.evidence == digest else ", about earlier evidence"
    return f"{objection.by} says{when}: {objection.why}"


def _reasons_of_their_own(evidence: Evidence) -> list[str]:
    """Return the reasons of a verdict that do not only repeat a safeguard or the undecided call, which are points too."""
    names = [guard.name for check in evidence.checks for guard in check.safeguards if guard.decides]
    repeated = [*(f"{name}: " for name in names), *([evidence.undecided.sentence] if evidence.undecided else [])]
    return [reason for reason in evidence.reasons if not any(words in reason for words in repeated)]


def _trial_rates(project: Project, view: ProposalView) -> Iterator[ShownRates | None]:
    for number, trial in enumerate(view.trials, 1):
        beside = trial_rates(project, trial)
        yield show_rates(beside, f"in trial {number}") if beside else None


def _watch_rates(project: Project, view: ProposalView) -> Iterator[ShownRates | None]:
    """Yield the rates of each watch; None if its calls are no longer kept or its deployment is not on record."""
    deployments = {deployment.id: deployment for deployment in view.deployments}
    for number, watch in enumerate(view.watches, 1):
        deployment = deployments.get(watch.deployment)
        beside = watch_rates(project, deployment, watch) if deployment else None
        yield show_rates(beside, f"in watch {number}") if beside else None


def _phase_plot(steps: Sequence[timeline.TimelineStep]) -> plots.Plot:
    times = timeline.phase_times(steps)
    whole = max((time.working + time.waiting for time in times), default=0.0)
    return plots.shares(
        "Time in each phase",
        [(time.phase, time.working, time.waiting, whole, _spent(time)) for time in times],
    )


def _spent(time: timeline.PhaseTime) -> str:
    parts = [duration(time.working)] if time.working >= 0.05 or not time.waiting else []
    return ", ".join([*parts, *([f"waited {duration(time.waiting)}"] if time.waiting else [])])


def _costs(view: ProposalView, entries: Sequence[Entry]) -> list[tuple[str, str]]:
    built, evidence = view.built, view.evidence
    rows = []
    if built:
        rows.append(("search", f"{count(built.tried, 'candidate')} tried in {duration(built.seconds)}"))
    if evidence:
        rows.append(("proof", f"{count(evidence.cost.suite_runs, 'suite run')} in {duration(evidence.cost.seconds)}"))
    answers = [entry.data for entry in entries if entry.kind == "ModelAnswer"]
    if answers:
        rows.append(("model", count(len(answers), "answer")))
    return rows
