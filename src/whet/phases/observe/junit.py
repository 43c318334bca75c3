"""Signals from CI: tests that failed again and again in the JUnit files of its runs."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from whet.domain.reported import FailedCiTest
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.domain.signal import Signal
from whet.intake.frames import innermost
from whet.intake.junit import junit_events
from whet.intake.look import Look
from whet.kit import Kit

MOST_SIGNALS = 5
_WHY_NOT = "a report shows it, and no test here does: if it fails in the sandbox too, it is a finding of its own"


@dataclass
class _History:
    """The outcomes of one test within the window, oldest first, and its newest failures."""

    outcomes: list[bool] = field(default_factory=list)
    failures: list[ReportedEvent] = field(default_factory=list)

    def add(self, event: ReportedEvent) -> None:
        self.outcomes.append(event.failed)
        if event.failed:
            self.failures = [*self.failures[-MOST_SIGNALS + 1 :], event]

    @property
    def state(self) -> str:
        """Return `failing`, `flaky`, or '' if the test passes again."""
        flips = sum(before != after for before, after in zip(self.outcomes, self.outcomes[1:], strict=False))
        passes_again = not self.outcomes[-1]
        if flips >= (3 if passes_again else 2):
            return "flaky"
        return "" if passes_again else "failing"


class Junit:
    """The signal source `junit`: reads the JUnit files that `sources.junit` names."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        if not self._policy.junit:
            return ()
        look = Look(self._kit.git.root, self._kit.state, self._policy, "junit")
        look.at_files(self._policy.junit, junit_events)
        self.skipped = look.skips.sentences()
        histories: dict[str, _History] = defaultdict(_History)
        for event in look.events.since("junit", look.since, EventKind.TEST):
            histories[event.subject].add(event)
        paths = frozenset(entry.path for entry in self._kit.git.entries(self._kit.git.tree_of(commit)))
        return tuple(signal for test, history in histories.items() for signal in self._signals(test, history, paths))

    def _signals(self, test: str, history: _History, paths: Collection[str]) -> Iterator[Signal]:
        failures = sum(history.outcomes)
        state = history.state
        if failures < self._policy.pattern or not state:
            return
        newest, *earlier = reversed(history.failures)
        path, line = _place(newest, paths)
        breakdown = newest.breakdown
        message = ": ".join(filter(None, (breakdown.exception, breakdown.message))) if breakdown else ""
        facts = FailedCiTest(
            state=state,
            runs=len(history.outcomes),
            failures=failures,
            message=message,
            path=path,
            line=line,
            why_not=_WHY_NOT,
        )
        yield Signal.of("junit", test, facts, newest.at)
        for event in earlier:
            yield Signal.of("junit", test, FailedCiTest(), event.at)


def _place(event: ReportedEvent, paths: Collection[str]) -> tuple[str, int]:
    """Return the innermost place of a failure in the repository, or the file of the test, or ''."""
    frame = innermost(event.breakdown.frames, paths) if event.breakdown else None
    if frame:
        return frame[0], frame[2]
    parts: Sequence[str] = event.subject.partition("::")[0].split(".")
    files = ("/".join(parts[:end]) + ".py" for end in range(len(parts), 0, -1))
    return next((file for file in files if file in paths), ""), 1
