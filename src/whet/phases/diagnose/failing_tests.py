"""Failing tests as findings: the ids of one test function together, and crashes at one place together."""

from collections import defaultdict
from collections.abc import Sequence

from whet.cases.regression import failures_of
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import FailingTest
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.store.codec import decode

_NO_FAILURE = Failure(exception="", message="", frames=(), text="")


class FailingTests:
    kinds = (FailingTest.kind,)
    minimum_signals = 1  # a failing test can be run again at will

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        groups: dict[tuple[str, ...], list[Signal]] = defaultdict(list)
        for signal in signals:
            groups[self._group(signal)].append(signal)
        return [self._finding(group, members) for group, members in groups.items()]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        tests = [test for test in finding.subjects if "::" in test]
        if not tests:
            return ()
        from whet.phases.diagnose.places import traced_places  # the tracer takes a while to load

        return traced_places(tests, failures_of(finding), self._kit.git.tree_of(base), self._kit)

    def _group(self, signal: Signal) -> tuple[str, ...]:
        """Return the key to group by: the place of a crash, the message of a failure outside the project, else the test."""
        failure = _failure(signal)
        if crash := self._crash_site(failure):
            return ("crash", *crash, failure.exception)
        if self._is_outside(failure):
            return ("outside", failure.exception, _first_line(failure))
        return ("test", signal.subject.partition("[")[0], failure.exception)

    def _crash_site(self, failure: Failure) -> tuple[str, str] | None:
        """Return path and function of the innermost frame, if it is project code: such crashes share a cause."""
        if not failure.frames or self._kit.is_test(failure.frames[-1][0]):
            return None
        path, _, function = failure.frames[-1]
        return path, function

    def _is_outside(self, failure: Failure) -> bool:
        """True if no project code is on the stack of an error: most likely this machine lacks something."""
        if failure.exception in ("", "AssertionError", "Failed"):
            return False
        return all(self._kit.is_test(path) for path, _, _ in failure.frames)

    def _finding(self, group: tuple[str, ...], signals: Sequence[Signal]) -> Finding:
        failure = _failure(signals[0])
        paths = dict.fromkeys(path for path, _, _ in failure.frames if not self._kit.is_test(path))
        subjects = tuple(signal.subject for signal in signals)
        reasons = [f"{count(len(subjects), 'failing test')}: reproducible at will"]
        score = 0.8 + min(0.15, 0.05 * (len(subjects) - 1))
        if group[0] == "outside":
            score = 0.35
            reasons.append("no project code is on the stack: perhaps this machine lacks something")
        where = f"{group[1]} in {group[2]}" if group[0] == "crash" else subjects[0].partition("[")[0]
        title = ": ".join(filter(None, (where, failure.exception or "failure", _first_line(failure))))
        signature = digest(list(group))[:16]
        return Finding(
            id=f"f-{signature[:8]}",
            kind=FindingKind.FAILING_TEST,
            signature=signature,
            title=title,
            category=Category.BUG_FIX,
            subjects=subjects,
            paths=tuple(paths),
            signals=tuple(signals),
            score=round(score, 3),
            reasons=tuple(reasons),
            minimum_signals=self.minimum_signals,
        )


def _failure(signal: Signal) -> Failure:
    return decode(FailingTest, signal.payload).failure or _NO_FAILURE


def _first_line(failure: Failure) -> str:
    return next(iter(failure.message.splitlines()), "")[:160]
