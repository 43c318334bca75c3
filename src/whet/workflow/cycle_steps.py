"""The steps of `cycle`: observe, diagnose, propose, and the start of a `carry` for each chosen proposal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property, partial

from whet.domain.captured import Overhead
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.lesson import Lesson
from whet.domain.memory import Memory
from whet.domain.plural import count, shorten
from whet.domain.proposal import Proposal
from whet.domain.signal import Signal
from whet.domain.trigger import Trigger
from whet.errors import CycleTooLong, UsageError, WhetError
from whet.knowledge.preferences import read_preferences, weigh
from whet.phases.diagnose.layers import Layers
from whet.phases.diagnose.step import diagnose, find
from whet.phases.learn.step import failure_lesson, idle_lesson
from whet.phases.observe.step import observe
from whet.phases.observe.tools import overhead
from whet.phases.propose.step import one_engine_each, propose
from whet.workflow.journal import Step
from whet.workflow.noise import Noise
from whet.workflow.steps import Steps

_MOST_IDS = 5


class CycleSteps(Steps):
    @cached_property
    def _noise(self) -> Noise:
        return Noise(self._ledger, self._policy.service)

    def _in_time(
        self, trigger: Trigger, within: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> Callable[[], AbstractContextManager[None]]:
        """Return `within`, preceded by a check that the cycle has not used up its time."""

        @contextmanager
        def checked() -> Iterator[None]:
            refuse_late_cycle(trigger, self._policy.budget.cycle_seconds)
            with within():
                yield

        return checked

    def trigger(self, identity: str) -> Trigger:
        return self._journal.recall(f"{identity}/trigger", Trigger)

    def base(self, identity: str) -> str:
        """Return the commit that the whole cycle looks at."""
        step = Step("observe", "base", identity, str, kind="Base")
        return self._do(step, partial(self._git.resolve, self._ref))

    def observe(self, trigger: Trigger, base: str) -> tuple[Signal, ...]:
        sources = {"tests": self._engines.sources["tests"]} if trigger.tests else self._engines.sources
        within = self._in_time(trigger, self._wall(trigger.id, self._policy.tests.timeout_seconds))
        step = Step("observe", "observe", trigger.id, tuple[Signal, ...], within=within)
        return self._do(step, partial(observe, base, sources, self._kit.progress))

    def overhead(self, identity: str) -> Overhead:
        """Record how much the capture of calls has cost the applications lately, for the audit."""
        return self._do(Step("observe", "overhead", identity, Overhead), partial(overhead, self._kit))

    def find(self, trigger: Trigger, signals: tuple[Signal, ...], base: str) -> tuple[Finding, ...]:
        within = self._in_time(trigger, self._wall(trigger.id, self._policy.tests.timeout_seconds))
        step = Step("diagnose", "find", trigger.id, tuple[Finding, ...], kind="Findings", within=within)
        return self._do(step, partial(find, signals, self._engines.analyzers, base, trigger.tests))

    def choose(self, trigger: Trigger, findings: tuple[Finding, ...], base: str) -> tuple[Finding, ...]:
        """Return the findings that can be worked on now, best first."""
        step = Step("diagnose", "choose", trigger.id, tuple[Finding, ...], kind="Chosen", within=self._in_time(trigger))
        return self._do(step, partial(self._workable, trigger, findings, base))

    def _workable(self, trigger: Trigger, findings: Sequence[Finding], base: str) -> tuple[Finding, ...]:
        asked_for = _asked_for(trigger, findings)
        if trigger.finding and not asked_for:
            raise unknown_finding(trigger.finding, [finding.id for finding in findings])
        workable = [finding for finding in asked_for if not self._why_not(trigger, finding, base)]
        memory = Memory(tuple(entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson")))
        return tuple(untried_first(workable, memory))

    def _why_not(self, trigger: Trigger, finding: Finding, base: str) -> str:
        """Return why nothing is done about a finding: no engine, tried before, or no budget left."""
        engines = [
            name for name, engine in self._engines.proposers.items() if engine.can_help(finding) and trigger.takes(name)
        ]
        if not engines:
            return "no engine can act on it"
        if noise := self._noise.why_not(trigger, finding):
            return noise
        declined = [self._declined(finding, name, base) for name in engines]
        return declined[0] if all(declined) else self._budgets.why_not(finding.signature)

    def _declined(self, finding: Finding, engine: str, base: str) -> str:
        reasons = (learner.why_not(finding, engine, base) for learner in self._engines.learners.values())
        return next(filter(None, reasons), "")

    def diagnose(self, trigger: Trigger, findings: tuple[Finding, ...], base: str) -> tuple[Diagnosis, ...]:
        """Localise the best findings, until `trigger.top` of them have a suspicious place."""
        within = self._in_time(trigger, self._wall(trigger.id, self._policy.tests.timeout_seconds))
        step = Step("diagnose", "diagnose", trigger.id, tuple[Diagnosis, ...], within=within)
        analyzers, layers = self._engines.analyzers, self._policy.target
        attribute = Layers(self._kit).attribute
        return self._do(step, partial(diagnose, findings, analyzers, base, layers, trigger.top, attribute))

    def propose(self, trigger: Trigger, diagnoses: tuple[Diagnosis, ...], base: str) -> tuple[Proposal, ...]:
        step = Step("propose", "propose", trigger.id, tuple[Proposal, ...], within=self._in_time(trigger))
        return self._do(step, partial(self._propose, trigger, diagnoses, base))

    def _propose(self, trigger: Trigger, diagnoses: Sequence[Diagnosis], base: str) -> tuple[Proposal, ...]:
        engines = {name: engine for name, engine in self._engines.proposers.items() if trigger.takes(name)}
        weighed = partial(weigh, preferences=read_preferences(self._ledger))
        progress = self._kit.progress
        offered = one_engine_each(propose(diagnoses, engines, self._declined, base, trigger.id, progress, weighed))
        taken: list[Proposal] = []
        for proposal in offered:
            if len(taken) < trigger.top and self._reserved(trigger, proposal, taken):
                taken.append(proposal)
        return tuple(taken)

    def _reserved(self, trigger: Trigger, proposal: Proposal, taken: list[Proposal]) -> bool:
        """Reserve an attempt when the proposal is chosen. A resumed process replays the recorded choice and does not
        reserve twice."""
        why_not = self._noise.why_not_proposal(trigger, proposal, taken)
        why_not = why_not or self._budgets.reserve_attempt(proposal.id, proposal.signature)
        if why_not:
            self._kit.progress.note(f"{proposal.title} is not worked on: {why_not}")
        return not why_not

    def learn_idle_cycle(
        self, trigger: Trigger, base: str, signals: Sequence[Signal], findings: Sequence[Finding]
    ) -> Lesson:
        step = Step("learn", "learn", trigger.id, Lesson)
        return self._do(step, partial(self._idle_lesson, trigger, base, signals, findings))

    def _idle_lesson(
        self, trigger: Trigger, base: str, signals: Sequence[Signal], findings: Sequence[Finding]
    ) -> Lesson:
        """Return the lesson of a cycle that proposes nothing, with the reason for each finding."""
        asked_for = _asked_for(trigger, findings)
        pairs = ((finding.title, self._why_not(trigger, finding, base)) for finding in asked_for)
        reasons = [f"{title}: {why}" for title, why in pairs if why]
        shown = "; ".join(reasons[:3]) or "nothing that an engine could propose a change for"
        more = f"; and {len(reasons) - 3} more" if len(reasons) > 3 else ""
        return idle_lesson(trigger.id, base, f"{count(len(signals), 'signal')}; {shown}{more}")

    def learn_failed_cycle(self, identity: str, problem: WhetError) -> Lesson:
        step = Step("learn", "learn", identity, Lesson)
        return self._do(step, partial(failure_lesson, identity, problem.code, problem.message))

    def start(self, proposal: Proposal, trigger: Trigger) -> None:
        self._ledger.append(
            "propose", proposal, subject=proposal.id, key=f"{proposal.id}/proposal", actor=trigger.actor
        )
        self._journal.durable.start("carry", proposal.id)


def untried_first(findings: Sequence[Finding], memory: Memory) -> list[Finding]:
    """Return the findings, those that were tried in vain behind the others: else one of them could take every cycle."""
    return sorted(findings, key=lambda finding: memory.attempts(finding.signature))


def refuse_late_cycle(trigger: Trigger, most_seconds: int) -> None:
    """Raise CycleTooLong if the cycle began more than `most_seconds` ago. Time in which it was parked counts too."""
    taken = (now() - trigger.at).total_seconds()
    if taken > most_seconds:
        raise CycleTooLong(
            f"the cycle {trigger.id} has taken {taken:.0f} s, and budget.cycle_seconds is {most_seconds}",
            "start another with `whet run`; if cycles need this long, raise budget.cycle_seconds in whet.toml",
        )


def unknown_finding(identity: str, known: Sequence[str]) -> UsageError:
    """Return the error for an id that no finding has, with the ids that exist."""
    ids = list(dict.fromkeys(known))
    verb = "finding is" if len(ids) == 1 else "findings are"
    existing = f"the {verb} {shorten(ids, _MOST_IDS)}" if ids else "nothing was found"
    return UsageError(f"there is no finding {identity!r}: {existing}", "`whet scan` shows the findings")


def _asked_for(trigger: Trigger, findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if not trigger.finding or finding.id.startswith(trigger.finding)]
