"""Failing tests as findings: the ids of one test function together, crashes at one place together, and then all those
whose most suspicious code is the same.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from whet.cases.regression import failures_of
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import FailingTest
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.proposal import Proposal
from whet.domain.signal import Signal
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.phases.diagnose.one_cause import combine, common_causes, part_to_keep
from whet.phases.diagnose.places import traced_places
from whet.store.codec import decode
from whet.target.packages.affected import owner_of
from whet.target.suite import PER_TEST_RUNNERS
from whet.target.suspicion.blame import Blame, CodePlace, blamed_functions

_NO_FAILURE = Failure(exception="", message="", frames=(), text="")
# Findings whose first test is traced. Tracing one costs about as much as running it twice.
_MOST_COMPARED = 40


class FailingTests:
    kinds = (FailingTest.kind,)
    minimum_signals = 1  # a failing test can be run again at will

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        groups: dict[tuple[str, ...], list[Signal]] = defaultdict(list)
        for signal in signals:
            package = self._package(signal)
            groups[(*self._group(signal), *([package] if package else []))].append(signal)
        return [self._finding(group, members) for group, members in groups.items()]

    def joined(self, findings: Sequence[Finding], base: str) -> list[Finding]:
        """Join findings whose tests share their most suspicious lines; of each finding the first test is traced.

        Failures outside the project are never joined, and of very many findings only those with the most tests.
        """
        comparable = sorted(
            filter(self._can_be_traced, findings), key=lambda finding: (-len(finding.subjects), finding.subjects)
        )
        if len(comparable) < 2 or self._kit.policy.tests.runner not in PER_TEST_RUNNERS:
            return list(findings)
        by_test = {_first_test(finding): finding for finding in comparable[:_MOST_COMPARED]}
        joined: list[Finding] = []
        for blamed in self._blamed(by_test, base):
            for functions, tests in common_causes(blamed):
                joined.append(self._combined([by_test[test] for test in tests], functions))
        inside = {subject for finding in joined for subject in finding.subjects}
        left_out = {finding.id for finding in comparable[_MOST_COMPARED:]}
        apart = [finding for finding in findings if finding.subjects[0] not in inside]
        return [*joined, *(_not_compared(finding) if finding.id in left_out else finding for finding in apart)]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        tests = [test for test in finding.subjects if "::" in test]
        if not tests:
            return ()
        return traced_places(tests, failures_of(finding), self._kit.git.tree_of(base), self._kit)

    def _can_be_traced(self, finding: Finding) -> bool:
        return bool(_first_test(finding)) and not self._is_outside(_failure(finding.signals[0]))

    def _blamed(self, by_test: Mapping[str, Finding], base: str) -> Iterator[dict[str, Blame]]:
        """Yield the blame of each test; those of one package together, because one search runs the tests of one package."""
        kit, tree = self._kit, self._kit.git.tree_of(base)
        kit.progress.note("comparing the failing tests by the code that they run")
        failures = {test: failure for finding in by_test.values() for test, failure in failures_of(finding).items()}
        for suite, tests in kit.suite.divide(list(by_test)):
            passed = suite.run(tree, fresh=False).passed
            yield blamed_functions(suite, tree, tests, failures, passed, kit.is_test)

    def _combined(self, findings: Sequence[Finding], functions: Sequence[CodePlace]) -> Finding:
        first = part_to_keep(findings, self._proposed())
        subjects = [subject for finding in findings for subject in finding.subjects]
        shared = ", ".join(f"{place.function} in {place.path}" for place in functions)
        reasons = (f"{_failing(subjects)}: reproducible at will", f"they share the most suspicious code: {shared}")
        return replace(combine(findings, first, reasons), score=_score(len(subjects)))

    def _proposed(self) -> Iterator[str]:
        """Yield the signatures of all proposals in the ledger, the latest first."""
        return (entry.read(Proposal).signature for entry in reversed(list(self._kit.ledger.entries(kind="Proposal"))))

    def _group(self, signal: Signal) -> tuple[str, ...]:
        """Return the key to group by: the place of a crash, the message of a failure outside the project, else the test."""
        failure = _failure(signal)
        if crash := self._crash_site(failure):
            return ("crash", *crash, failure.exception)
        if self._is_outside(failure):
            return ("outside", failure.exception, _first_line(failure))
        return ("test", signal.subject.partition("[")[0], failure.exception)

    def _package(self, signal: Signal) -> str:
        """Return the package of the test, in a repository with several: one search runs the tests of one package."""
        owner = owner_of(signal.subject.partition("::")[0], self._kit.policy.project)
        return owner.title if owner else ""

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
        reasons = [f"{_failing(subjects)}: reproducible at will"]
        score = _score(len(subjects))
        if group[0] == "outside":
            score = 0.35
            reasons.append("no project code is on the stack: perhaps this machine lacks something")
        where = f"{group[1]} in {group[2]}" if group[0] == "crash" else subjects[0].partition("[")[0]
        stated = _first_line(failure).removeprefix(f"{failure.exception}: ")
        title = ": ".join(filter(None, (where, failure.exception or "failure", stated)))
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
            score=score,
            reasons=tuple(reasons),
            minimum_signals=self.minimum_signals,
        )


def _first_test(finding: Finding) -> str:
    """Return the first test of a finding; empty if only whole files fail."""
    return next((subject for subject in finding.subjects if "::" in subject), "")


def _not_compared(finding: Finding) -> Finding:
    reason = f"not compared by the code that it runs: only the first {_MOST_COMPARED} findings were"
    return replace(finding, reasons=(*finding.reasons, reason))


def _failing(subjects: Sequence[str]) -> str:
    """Count the failing tests, or test files if none of them could be imported."""
    if any("::" in subject for subject in subjects):
        return count(len(subjects), "failing test")
    return f"{count(len(subjects), 'test file')} that cannot be imported"


def _score(tests: int) -> float:
    return round(0.8 + min(0.15, 0.05 * (tests - 1)), 3)


def _failure(signal: Signal) -> Failure:
    return decode(FailingTest, signal.payload).failure or _NO_FAILURE


def _first_line(failure: Failure) -> str:
    return next(iter(failure.message.splitlines()), "")[:160]
