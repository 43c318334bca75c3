"""Start, continue and follow cycles."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from whet import cycle as cycles
from whet.agent_proxy.transcript import prune as prune_exchanges
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.trigger import Trigger, TriggerKind
from whet.errors import Internal, Refused, StateUnusable
from whet.files import user_name
from whet.guard.answer import Refuse
from whet.guard.change.self_change import may_begin
from whet.guard.content.leaked_secret import detectors
from whet.guard.paths.protected import compile_patterns
from whet.phases.approve.roll import Roll
from whet.phases.approve.step import topic
from whet.phases.deploy.live_modules import require_pytest_for_shadow
from whet.store.executions import Executions
from whet.workflow.carry_steps import CarrySteps
from whet.workflow.cycle_steps import CycleSteps
from whet.workflow.guard_context import holds_whet
from whet.workflow.journal import Journal

if TYPE_CHECKING:
    from whet.durable import Engine


def actor() -> str:
    """Return the user's name, as the operating system knows it. It cannot be set to another name."""
    return user_name(os.getuid())


class Loop:
    """The durable engine with both workflows of one project. At most one runs per repository."""

    def __init__(self, project: Project, engine: "Engine") -> None:
        self.project = project
        self.engine = engine
        journal = Journal(engine, project.ledger, project.progress, project.refuse_unless_permitted)
        parts = (project.kit, project.engines, journal, project.budgets, project.ref)
        engine.workflow("cycle", partial(cycles.cycle, do=CycleSteps(*parts)))
        engine.workflow("carry", partial(cycles.carry, do=CarrySteps(*parts)))

    def start(
        self,
        reason: str,
        kind: TriggerKind = TriggerKind.HUMAN,
        top: int | None = None,
        finding: str = "",
        requests: tuple[str, ...] = (),
    ) -> str:
        """Begin a cycle, if budget and kill switch allow one; finish an interrupted cycle first.

        `finding` limits the cycle to one finding, by its id. `requests` are the recorded requests that it answers.
        """
        self.project.refuse_unless_permitted()
        self._refuse_unsigned_rules()
        require_pytest_for_shadow(self.project.policy.deploy, self.project.suite.interpreter)
        self.finish_interrupted_cycles()
        self._limit_cycles_on_whet_itself(kind)
        identity = f"c-{uuid.uuid4().hex[:8]}"
        ledger, policy, budgets = self.project.ledger, self.project.policy, self.project.budgets
        reserved = budgets.reserve_cycle(identity)
        trigger = Trigger(
            id=identity,
            kind=kind,
            reason=reason,
            actor=actor(),
            at=now(),
            top=top or policy.propose.top,
            finding=finding,
            requests=requests,
        )
        ledger.append("observe", trigger, subject=identity, key=f"{identity}/trigger", actor=trigger.actor)
        budgets.settle(reserved, reserved.amount)
        self._prune()
        self.engine.start("cycle", identity)
        return identity

    def _refuse_unsigned_rules(self) -> None:
        """Refuse a cycle whose proposals nobody could approve, because a change of the approvers waits for signatures."""
        project = self.project
        Roll(project.git, project.ledger, project.policy, project.ref).in_force()

    def finish_interrupted_cycles(self) -> None:
        """Finish an interrupted cycle. Its failure is recorded with that cycle and does not stop the new one."""
        for identity in [name for name in self.engine.unfinished() if name.startswith("c-")]:
            self._wait_until_over(identity)
            if failed := self.project.ledger.latest("Error", subject=identity):
                self.project.progress.note(f"the interrupted cycle has failed: {failed.data['message']}")

    def _prune(self) -> None:
        """Prune captured calls and the texts of coding agents. The file of calls belongs to the application: if it cannot
        be used now, it is pruned another time.
        """
        prune_exchanges(self.project.state, self.project.policy.retention.exchanges_days)
        try:
            Executions(self.project.state).prune(self.project.policy.retention)
        except StateUnusable as problem:
            self.project.progress.note(f"old calls were not deleted: {problem.message}")

    def _limit_cycles_on_whet_itself(self, kind: TriggerKind) -> None:
        """Refuse a cycle on whet's own source unless a person asks for it, once a day."""
        project = self.project
        if not holds_whet(project.git, project.git.resolve(project.ref)):
            return
        today = project.ledger.entries(kind="Trigger", since=now() - timedelta(days=1))
        answer = may_begin(kind, len(today), readable=True)
        if isinstance(answer, Refuse):
            raise Refused(answer.reason, "start a cycle yourself, at most one in 24 hours, or make the change by hand")

    def wait_for_cycle(self, identity: str) -> list[str]:
        """Wait for a cycle and return its proposals. Meanwhile, load the patterns and detectors that the guard will need."""
        detectors()
        compile_patterns(self.project.policy)
        self._wait_until_over(identity)
        entry = self.project.ledger.find(f"{identity}/propose/propose")
        if entry is None:
            self._raise_recorded_error(identity)
        return [proposal["id"] for proposal in entry.data] if entry else []

    def _wait_until_over(self, identity: str) -> None:
        while not self.engine.ended(identity):
            self._raise_if_parked(identity)
            self.engine.wait()

    def why_nothing(self) -> str:
        """Return why the last cycle proposed nothing."""
        entry = self.project.ledger.latest("Lesson")
        lesson = entry.read(Lesson) if entry else None
        return lesson.summary if lesson and lesson.ending is Ending.NOTHING else ""

    def wait_for(self, proposal: str) -> ProposalView:
        """Wait until a proposal has ended or asks a person."""
        self._start_or_wake(view_proposal(self.project.ledger, proposal))
        while True:
            self._raise_if_parked(proposal)
            over = self.engine.ended(
                proposal
            )  # asked before the ledger is read, so that the view includes the last entry
            view = view_proposal(self.project.ledger, proposal)
            question = view.open_question
            open_still = question and question.tier.needs_person and now() < question.expires_at
            if view.lesson or open_still:
                return view
            if over:
                self._raise_recorded_error(proposal)
            self.engine.wait()

    def _start_or_wake(self, view: ProposalView) -> None:
        """Start a proposal that the durable engine has lost, and wake one that was answered without a wake-up call."""
        if view.lesson:
            return
        identity = view.proposal.id
        if not self.engine.has_workflow(identity):
            self.engine.start("carry", identity)
        looks = self.project.ledger.entries(kind="Look", subject=identity)
        answered = [question for question in view.questions if question != view.open_question]
        for question in [question for question in answered for _ in looks]:
            self.engine.notify(identity, topic(question))

    def _raise_if_parked(self, identity: str) -> None:
        if problem := self.engine.halted or self.engine.parked.get(identity):
            raise problem

    def _raise_recorded_error(self, subject: str) -> None:
        entry = self.project.ledger.latest("Error", subject=subject)
        if entry is None:
            raise Internal(f"{subject} ended and recorded no error", "please report this with .whet/")
        raise _recorded(entry.data)


def _recorded(data: dict[str, str]) -> Exception:
    from whet import errors

    classes = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.WhetError)]
    cls = next((cls for cls in classes if cls.code == data["code"]), errors.Internal)
    return cls(data["message"], data["remedy"])


def _record_policy(project: Project) -> None:
    """Record the policy, so that the audit knows later what was allowed."""
    body, digest = project.policy.recorded, project.policy.digest
    project.ledger.append("observe", body, subject="policy", key=f"policy/{digest}", kind="Policy")


@contextmanager
def running(project: Project) -> Iterator[Loop]:
    """Open the loop and resume every interrupted workflow."""
    project.refuse_unless_permitted()
    project.refuse_conflicting_branch()
    project.ledger.refuse_if_damaged()
    _record_policy(project)
    if project.policy.deploy.requests:
        from whet.app.approvals.forge_answers import take_answers  # it records answers as the other clients do

        take_answers(project)
    from whet.durable import Engine  # takes a while to load

    engine = Engine(project.state, project.address)
    try:
        loop = Loop(project, engine)
        engine.launch()
        yield loop
        project.ledger.publish()
    finally:
        engine.close()
