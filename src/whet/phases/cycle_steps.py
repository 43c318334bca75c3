"""The steps of `cycle`: observe, diagnose, propose, each recorded."""

from datetime import timedelta
from itertools import islice

from whet import guard
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.signal import Signal
from whet.domain.trigger import Trigger
from whet.errors import WhetError
from whet.guard.budget import Spent, budget
from whet.phases.diagnose.step import diagnose, findings
from whet.phases.learn.step import broken, nothing
from whet.phases.observe.step import observe
from whet.phases.propose.step import propose
from whet.phases.steps import Steps


class CycleSteps(Steps):
    def trigger(self, identity: str) -> Trigger:
        return self._boundary.recall(f"{identity}/trigger", Trigger)

    def base(self, identity: str) -> str:
        return self._do("observe", "base", identity, str, lambda: self._git.resolve(self._ref), kind="Base")

    def observe(self, identity: str, base: str) -> tuple[Signal, ...]:
        kit = self._kit
        return self._do(
            "observe", "observe", identity, tuple[Signal, ...],
            lambda: observe(base, self._engines.sources, kit.progress),
        )  # fmt: skip

    def diagnose(self, trigger: Trigger, signals: tuple[Signal, ...], base: str) -> tuple[Diagnosis, ...]:
        def run() -> tuple[Diagnosis, ...]:
            found = [finding for finding in findings(signals, self._kit.is_test) if self._wanted(finding, base)]
            located = (
                diagnose(finding, lambda f: self._engines.localise(f, base), self._policy.target) for finding in found
            )
            return tuple(islice((diagnosis for diagnosis in located if diagnosis.places), trigger.top))

        return self._do("diagnose", "diagnose", trigger.id, tuple[Diagnosis, ...], run)

    def _wanted(self, finding: Finding, base: str) -> bool:
        memory = self._memory()
        return any(
            engine.can_help(finding) and not memory.why_not(finding.signature, name, base)
            for name, engine in self._engines.proposers.items()
        )

    def propose(self, trigger: Trigger, diagnoses: tuple[Diagnosis, ...], base: str) -> tuple[Proposal, ...]:
        def run() -> tuple[Proposal, ...]:
            offered = propose(diagnoses, self._engines.proposers, self._memory(), base, trigger.id, self._kit.progress)
            affordable = [proposal for proposal in offered if self._affordable(proposal)]
            return tuple(affordable[: trigger.top])

        return self._do("propose", "propose", trigger.id, tuple[Proposal, ...], run)

    def _affordable(self, proposal: Proposal) -> bool:
        memory, today = self._memory(), now() - timedelta(days=1)
        tries = [lesson for lesson in memory.lessons if lesson.signature == proposal.signature]
        spent = Spent(
            proposals_today=len(self._ledger.entries(kind="Proposal", since=today)),
            cycles_today=0,  # counted when the cycle was started
            attempts_on_signature=memory.attempts(proposal.signature),
            seconds_since_last_attempt=(now() - tries[-1].learned_at).total_seconds() if tries else None,
            readable=True,
        )
        given = budget(spent, self._policy.budget)
        if isinstance(given, guard.Refuse):
            self._kit.progress.note(f"{proposal.title}: {given.reason}")
        return isinstance(given, guard.Allow)

    def learn_nothing(self, identity: str, base: str, signals: int) -> Lesson:
        summary = f"{signals} signals, nothing that an engine could propose a change for"
        return self._do("learn", "learn", identity, Lesson, lambda: nothing(identity, base, summary))

    def learn_broken(self, identity: str, problem: WhetError) -> Lesson:
        return self._do("learn", "learn", identity, Lesson, lambda: broken(identity, problem.code, problem.message))

    def start(self, proposal: Proposal, trigger: Trigger) -> None:
        self._ledger.append(
            "propose", proposal, subject=proposal.id, key=f"{proposal.id}/proposal", actor=trigger.actor
        )
        self._boundary.durable.start("carry", proposal.id)
