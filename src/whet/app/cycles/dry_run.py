"""A dry run: the same `cycle` and `carry` as a real run, up to the first gate, recorded nowhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from whet.app.project import Project, load_engines
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.cycle import carry, cycle
from whet.domain.approval import Question
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.evidence import Evidence
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.trigger import Trigger, TriggerKind
from whet.ledger.ledger import Ledger
from whet.ledger.scratch import ScratchLedger
from whet.store.reservations import Reservations
from whet.workflow.cycle_steps import CycleSteps
from whet.workflow.dry_run import DryBudgets, DryCarrySteps, DryRunEnds, InProcess
from whet.workflow.journal import Journal
from whet.workflow.steps import Engines

_CYCLE = "dry-run"


@dataclass(frozen=True)
class Preview:
    """The course of one proposal in a real run, up to the first question to a person or to its end."""

    proposal: Proposal
    build: Build | None
    evidence: Evidence | None
    question: Question | None
    lesson: Lesson | None

    @property
    def next(self) -> str:
        """Say what a real run would do next."""
        if self.question:
            return (
                f"ask at the {self.question.gate} gate, tier {self.question.tier} ({'; '.join(self.question.reasons)})"
            )
        assert self.lesson is not None  # noqa: S101 - carry ends with a question or a lesson
        return f"end here: {self.lesson.ending.value}: {self.lesson.summary}"


@dataclass(frozen=True)
class DryRun:
    """The result of a dry run: the proposals, or in `why_nothing` why there are none, and the ledger in memory."""

    previews: tuple[Preview, ...]
    why_nothing: str
    ledger: Ledger


def dry_run(project: Project, top: int | None = None, finding: str = "") -> DryRun:
    """Run one cycle and carry its proposals up to the first gate. Only the wall time is recorded, against the budget."""
    project.refuse_unless_permitted()
    policy = project.policy
    with project.budgets.wall(_CYCLE, policy.propose.repair_seconds + policy.tests.timeout_seconds):
        return run_unrecorded(project, top=top or policy.propose.top, finding=finding)


def run_unrecorded(
    project: Project,
    *,
    top: int = 1,
    finding: str = "",
    tests: tuple[str, ...] = (),
    carry_steps: type[DryCarrySteps] = DryCarrySteps,
    prepare: Callable[[Engines], Engines] = lambda engines: engines,
) -> DryRun:
    """Run `cycle` and `carry` with a journal over a ledger in memory. `prepare` may change the engines first."""
    ledger = ScratchLedger(project.ledger)
    kit = replace(project.kit, ledger=ledger)
    durable = InProcess()
    journal = Journal(durable, ledger, project.progress, project.refuse_unless_permitted)
    budgets = DryBudgets(ledger, Reservations(project.store), project.policy.budget)
    parts = (kit, prepare(load_engines(project.policy, kit)), journal, budgets, project.ref)
    trigger = Trigger(
        id=_CYCLE, kind=TriggerKind.HUMAN, reason="dry run", actor="", at=now(), top=top, finding=finding, tests=tests
    )
    ledger.append("observe", trigger, subject=_CYCLE, key=f"{_CYCLE}/trigger")
    cycle(_CYCLE, CycleSteps(*parts))
    previews = [_carry(proposal, carry_steps(*parts), ledger) for proposal in durable.started]
    lesson = ledger.latest("Lesson", subject=_CYCLE)
    return DryRun(tuple(previews), lesson.read(Lesson).summary if lesson else "", ledger)


def _carry(proposal: str, steps: DryCarrySteps, ledger: Ledger) -> Preview:
    try:
        carry(proposal, steps)
    except DryRunEnds as end:
        return _preview(view_proposal(ledger, proposal), end.question)
    return _preview(view_proposal(ledger, proposal), None)


def _preview(view: ProposalView, question: Question | None) -> Preview:
    return Preview(view.proposal, view.built, view.evidence, question, view.lesson)
