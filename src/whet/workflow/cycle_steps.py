"""The steps of `cycle`: observe, diagnose, propose, each recorded."""

from itertools import islice

from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.recorded import Overhead
from whet.domain.signal import Signal
from whet.domain.trigger import Trigger
from whet.errors import WhetError
from whet.phases.diagnose.step import diagnose, findings
from whet.phases.learn.step import failure_lesson, idle_lesson
from whet.phases.observe.step import observe
from whet.phases.observe.tools import overhead
from whet.phases.propose.step import propose
from whet.workflow.steps import Steps


class CycleSteps(Steps):
    def trigger(self, identity: str) -> Trigger:
        return self._boundary.recall(f"{identity}/trigger", Trigger)

    def base(self, identity: str) -> str:
        return self._do("observe", "base", identity, str, lambda: self._git.resolve(self._ref), kind="Base")

    def observe(self, identity: str, base: str) -> tuple[Signal, ...]:
        def look() -> tuple[Signal, ...]:
            return observe(base, self._engines.sources, self._kit.progress)

        return self._do(
            "observe", "observe", identity, tuple[Signal, ...],
            lambda: self._in_time(identity, self._policy.tests.timeout_seconds, look),
        )  # fmt: skip

    def overhead(self, identity: str) -> Overhead:
        """What recording has cost the applications of late, for whoever audits."""
        return self._do("observe", "overhead", identity, Overhead, lambda: overhead(self._kit))

    def diagnose(self, trigger: Trigger, signals: tuple[Signal, ...], base: str) -> tuple[Diagnosis, ...]:
        def run() -> tuple[Diagnosis, ...]:
            found = [finding for finding in findings(signals, self._kit.is_test) if self._wanted(finding, base)]
            located = (
                diagnose(finding, lambda f: self._engines.localise(f, base), self._policy.target) for finding in found
            )
            return tuple(islice((diagnosis for diagnosis in located if diagnosis.places), trigger.top))

        seconds = self._policy.tests.timeout_seconds
        return self._do(
            "diagnose", "diagnose", trigger.id, tuple[Diagnosis, ...], lambda: self._in_time(trigger.id, seconds, run)
        )

    def _wanted(self, finding: Finding, base: str) -> bool:
        return not self._why_not(finding, base)

    def _why_not(self, finding: Finding, base: str) -> str:
        """Why nothing is done about a finding: no engine, tried before, or no budget left; empty when something is."""
        memory = self._memory()
        engines = [name for name, engine in self._engines.proposers.items() if engine.can_help(finding)]
        declined = [memory.why_not(finding.signature, name, base) for name in engines]
        if not engines:
            return "no engine can act on it"
        return declined[0] if all(declined) else self._spending.why_not(finding.signature)

    def propose(self, trigger: Trigger, diagnoses: tuple[Diagnosis, ...], base: str) -> tuple[Proposal, ...]:
        def run() -> tuple[Proposal, ...]:
            offered = propose(diagnoses, self._engines.proposers, self._memory(), base, trigger.id, self._kit.progress)
            return tuple(islice((proposal for proposal in offered if self._afforded(proposal)), trigger.top))

        return self._do("propose", "propose", trigger.id, tuple[Proposal, ...], run)

    def _afforded(self, proposal: Proposal) -> bool:
        """Taken here, where the choice is made: what is chosen is carried. A process that takes a recorded choice up
        again does not ask anew; the ledger counts what it starts."""
        why_not = self._spending.reserve_attempt(proposal.id, proposal.signature)
        if why_not:
            self._kit.progress.note(f"{proposal.title} is left alone: {why_not}")
        return not why_not

    def learn_nothing(self, identity: str, base: str, signals: tuple[Signal, ...]) -> Lesson:
        def run() -> Lesson:
            found = findings(signals, self._kit.is_test)
            reasons = [f"{finding.title}: {why}" for finding in found if (why := self._why_not(finding, base))]
            told = "; ".join(reasons[:3]) or "nothing that an engine could propose a change for"
            return idle_lesson(identity, base, f"{len(signals)} signals; {told}")

        return self._do("learn", "learn", identity, Lesson, run)

    def learn_broken(self, identity: str, problem: WhetError) -> Lesson:
        return self._do(
            "learn", "learn", identity, Lesson, lambda: failure_lesson(identity, problem.code, problem.message)
        )

    def start(self, proposal: Proposal, trigger: Trigger) -> None:
        self._ledger.append(
            "propose", proposal, subject=proposal.id, key=f"{proposal.id}/proposal", actor=trigger.actor
        )
        self._boundary.durable.start("carry", proposal.id)
