"""Starting, continuing and following cycles."""

import os
import pwd
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from whet import cycle as cycles
from whet.app.project import Project
from whet.app.proposal_view import Dossier, dossier
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.trigger import Trigger, TriggerKind
from whet.errors import Internal, Refused, StateUnusable
from whet.guard.answer import Refuse
from whet.guard.change.self_change import may_begin
from whet.guard.content.leaked_secret import detectors
from whet.guard.paths.protected import make_ready
from whet.phases.approve.step import topic
from whet.store.executions import Executions
from whet.workflow.carry_steps import CarrySteps
from whet.workflow.cycle_steps import CycleSteps
from whet.workflow.guard_context import holds_whet
from whet.workflow.journal import Journal

if TYPE_CHECKING:
    from whet.durable import Engine


def actor() -> str:
    """Who asks, as the operating system knows them; there is no way to say one is somebody else."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


class Loop:
    """The durable engine at work on one project. At most one per repository."""

    def __init__(self, project: Project, engine: "Engine") -> None:
        self.project = project
        self.engine = engine
        boundary = Journal(engine, project.ledger, project.progress, project.permitted)
        given = (project.kit, project.engines, boundary, project.spending, project.ref)
        engine.workflow("cycle", partial(cycles.cycle, do=CycleSteps(*given)))
        engine.workflow("carry", partial(cycles.carry, do=CarrySteps(*given)))

    def start(self, reason: str, kind: TriggerKind = TriggerKind.HUMAN, top: int | None = None) -> str:
        """Begin a cycle, if the budget and the kill switch allow one; a cycle that was cut off is finished first."""
        self.project.permitted()
        self._finish_what_was_cut_off()
        self._bound_work_on_itself(kind)
        identity = f"c-{uuid.uuid4().hex[:8]}"
        ledger, policy, spending = self.project.ledger, self.project.policy, self.project.spending
        reserved = spending.reserve_cycle(identity)
        trigger = Trigger(id=identity, kind=kind, reason=reason, actor=actor(), at=now(), top=top or policy.propose.top)
        ledger.append("observe", trigger, subject=identity, key=f"{identity}/trigger", actor=trigger.actor)
        spending.settle(reserved, reserved.amount)
        self._drop_old_calls()
        self.engine.start("cycle", identity)
        return identity

    def _finish_what_was_cut_off(self) -> None:
        """What made an earlier cycle fail is recorded with that cycle, and may be gone by now."""
        for identity in [name for name in self.engine.unfinished() if name.startswith("c-")]:
            self._wait_until_over(identity)
            if failed := self.project.ledger.latest("Error", subject=identity):
                self.project.progress.note(f"the cycle that was cut off has failed: {failed.data['message']}")

    def _drop_old_calls(self) -> None:
        """The file is the application's: one that cannot be used now is pruned another time."""
        try:
            Executions(self.project.state).prune(self.project.policy.retention)
        except StateUnusable as problem:
            self.project.progress.note(f"old calls stay for now: {problem.message}")

    def _bound_work_on_itself(self, kind: TriggerKind) -> None:
        """In a repository that holds whet: a person asks, and once a day."""
        project = self.project
        if not holds_whet(project.git, project.git.resolve(project.ref)):
            return
        today = project.ledger.entries(kind="Trigger", since=now() - timedelta(days=1))
        answer = may_begin(kind, len(today), readable=True)
        if isinstance(answer, Refuse):
            raise Refused(answer.reason, "wait until tomorrow, or make the change by hand")

    def wait_for_cycle(self, identity: str) -> list[str]:
        """The proposals that a cycle chose to carry, once it has. What the guard will need loads while the tests run."""
        detectors()
        make_ready(self.project.policy)
        self._wait_until_over(identity)
        entry = self.project.ledger.find(f"{identity}/propose/propose")
        if entry is None:
            self._raise_recorded_error(identity)
        return [proposal["id"] for proposal in entry.data] if entry else []

    def _wait_until_over(self, identity: str) -> None:
        while not self.engine.ended(identity):
            self._raise_what_halted()
            self.engine.wait()

    def why_nothing(self) -> str:
        """What the last cycle learned when it had nothing to carry."""
        entry = self.project.ledger.latest("Lesson")
        lesson = entry.read(Lesson) if entry else None
        return lesson.summary if lesson and lesson.ending is Ending.NOTHING else ""

    def wait_for(self, proposal: str) -> Dossier:
        """Until a proposal has ended or asks something of a person."""
        self._take_up(dossier(self.project.ledger, proposal))
        while True:
            self._raise_what_halted()
            over = self.engine.ended(proposal)  # asked before the ledger is read: its last word is there then
            found = dossier(self.project.ledger, proposal)
            question = found.open_question
            open_still = question and question.tier.needs_person and now() < question.expires_at
            if found.lesson or open_still:
                return found
            if over:
                self._raise_recorded_error(proposal)
            self.engine.wait()

    def _take_up(self, found: Dossier) -> None:
        """One that the engine lost goes on from the ledger, and one that was answered without a knock looks again."""
        if found.lesson:
            return
        identity = found.proposal.id
        if not self.engine.has_workflow(identity):
            self.engine.start("carry", identity)
        looks = self.project.ledger.entries(kind="Look", subject=identity)
        answered = [question for question in found.questions if question != found.open_question]
        for question in [question for question in answered for _ in looks]:
            self.engine.notify(identity, topic(question))

    def _raise_what_halted(self) -> None:
        if self.engine.halted:
            raise self.engine.halted

    def _raise_recorded_error(self, subject: str) -> None:
        entry = self.project.ledger.latest("Error", subject=subject)
        if entry is None:
            raise Internal(f"{subject} ended without a word", "please report this with .whet/")
        raise _recorded(entry.data)


def _recorded(data: dict[str, str]) -> Exception:
    from whet import errors

    classes = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.WhetError)]
    cls = next((cls for cls in classes if cls.code == data["code"]), errors.Internal)
    return cls(data["message"], data["remedy"])


def _record_policy(project: Project) -> None:
    """What was allowed at the time, so that the audit can tell later."""
    body, digest = project.policy.model_dump(mode="json"), project.policy.digest
    project.ledger.append("observe", body, subject="policy", key=f"policy/{digest}", kind="Policy")


@contextmanager
def running(project: Project) -> Iterator[Loop]:
    """The loop with everything that was cut off taken up again."""
    project.permitted()
    project.refuse_without_room()
    project.ledger.refuse_if_damaged()
    _record_policy(project)
    from whet.durable import Engine  # takes a while to load

    engine = Engine(project.state, project.address)
    try:
        loop = Loop(project, engine)
        engine.launch()
        yield loop
    finally:
        engine.close()
