"""Tests that fail again and again in CI, as findings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.place import Place
from whet.domain.reported import FailedCiTest
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class CiTests:
    kinds = (FailedCiTest.kind,)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        del kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        tests: dict[str, list[Signal]] = defaultdict(list)
        for signal in signals:
            tests[signal.subject].append(signal)
        return [_finding(test, members) for test, members in tests.items() if len(members) >= self.minimum_signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        facts = decode(FailedCiTest, finding.signals[0].payload)
        why = "the innermost line of the project in the CI run's failure"
        return (Place(path=facts.path, line=facts.line, function="", suspicion=0.5, why=why),) if facts.path else ()


def merged_with_failing_tests(findings: Sequence[Finding]) -> list[Finding]:
    """Merge the finding of a CI test into that of the failing test, if the test is red here too: its CI runs become a reason."""
    in_ci = {finding.subjects[0]: finding for finding in findings if finding.kind == FindingKind.CI_TEST}
    here = {
        _name_in_ci(test): test for finding in _failing_tests(findings) for test in finding.subjects if "::" in test
    }
    known = {here[name]: finding for name, finding in in_ci.items() if name in here}
    left_out = {finding.id for finding in known.values()}
    return [
        replace(finding, reasons=(*finding.reasons, *_runs_in_ci(finding, known)))
        for finding in findings
        if finding.id not in left_out
    ]


def _failing_tests(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.kind == FindingKind.FAILING_TEST]


def _runs_in_ci(finding: Finding, known: Mapping[str, Finding]) -> list[str]:
    if finding.kind != FindingKind.FAILING_TEST:
        return []
    return [known[test].reasons[0] for test in finding.subjects if test in known][:1]


def _name_in_ci(test: str) -> str:
    """Return the name that pytest gives a test in JUnit XML."""
    file, *classes, name = test.split("::")
    return f"{'.'.join((file.removesuffix('.py').replace('/', '.'), *classes))}::{name}"


def _finding(test: str, signals: Sequence[Signal]) -> Finding:
    facts = decode(FailedCiTest, signals[0].payload)
    signature = digest(["ci_test", test])[:16]
    message, _, _ = facts.message.partition("\n")
    word = "is flaky" if facts.state == "flaky" else "fails"
    where = (f"at {facts.path}:{facts.line}",) if facts.path else ()
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.CI_TEST,
        signature=signature,
        title=f"{test} {word} in CI{f': {message}' if message else ''}",
        category=Category.BUG_FIX,
        subjects=(test,),
        paths=(facts.path,) if facts.path else (),
        signals=tuple(signals),
        score=round(0.2 + 0.2 * facts.failures / facts.runs, 3),
        reasons=(f"{facts.failures} of {facts.runs} CI runs failed", *where, facts.why_not),
    )
