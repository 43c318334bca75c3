"""Tests that fail again and again in CI, as findings."""

from collections import defaultdict
from collections.abc import Sequence

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


def _finding(test: str, signals: Sequence[Signal]) -> Finding:
    facts = decode(FailedCiTest, signals[0].payload)
    signature = digest(["ci_test", test])[:16]
    word = "is flaky" if facts.state == "flaky" else "fails"
    where = (f"at {facts.path}:{facts.line}",) if facts.path else ()
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.CI_TEST,
        signature=signature,
        title=f"{test} {word} in CI{f': {facts.message}' if facts.message else ''}",
        category=Category.BUG_FIX,
        subjects=(test,),
        paths=(facts.path,) if facts.path else (),
        signals=tuple(signals),
        score=round(0.2 + 0.2 * facts.failures / facts.runs, 3),
        reasons=(f"{facts.failures} of {facts.runs} CI runs failed", *where, facts.why_not),
    )
