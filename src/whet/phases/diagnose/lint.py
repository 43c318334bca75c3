"""Violations of one lint rule as a finding, in the category that the rule belongs to."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.payload import LintViolation
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode

_CATEGORIES = (
    ("PERF", Category.PERFORMANCE), ("PT", Category.TEST_COVERAGE), ("D", Category.DOCUMENTATION),
    ("B", Category.BUG_FIX), ("ASYNC", Category.BUG_FIX), ("UP", Category.REFACTORING), ("SIM", Category.REFACTORING),
    ("C4", Category.REFACTORING), ("RET", Category.REFACTORING), ("PL", Category.REFACTORING),
)  # fmt: skip


def category_of(rule: str) -> Category:
    """Return the category of the linter that a rule comes from: `PERF401` is performance, `F401` code quality."""
    return dict(_CATEGORIES).get(_linter(rule), Category.CODE_QUALITY)


def _linter(rule: str) -> str:
    prefix = rule.rstrip("0123456789")
    return "PL" if prefix.startswith("PL") else "C4" if rule.startswith("C4") else prefix


class LintRules:
    kinds = (LintViolation.kind,)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        self._is_test = kit.is_test

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        """Return a finding per rule that is violated often enough outside the tests, which whet does not edit."""
        rules: dict[str, list[Signal]] = defaultdict(list)
        for signal in signals:
            if not self._is_test(decode(LintViolation, signal.payload).path):
                rules[signal.subject].append(signal)
        return [_finding(rule, members) for rule, members in rules.items() if len(members) >= self.minimum_signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        violations = [decode(LintViolation, signal.payload) for signal in finding.signals]
        return tuple(
            Place(path=violation.path, line=violation.line, function="", suspicion=1.0, why=violation.message)
            for violation in violations
        )


def _finding(rule: str, signals: Sequence[Signal]) -> Finding:
    violations = [decode(LintViolation, signal.payload) for signal in signals]
    fixable = [violation for violation in violations if violation.fixable]
    paths = tuple(dict.fromkeys(violation.path for violation in (*fixable, *violations)))
    score = 0.1 + 0.2 * len(fixable) / len(signals) + min(0.1, len(signals) / 1000)
    signature = digest(["lint", rule])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.LINT,
        signature=signature,
        title=f"{rule}: {violations[0].message}",
        category=category_of(rule),
        subjects=(rule,),
        paths=paths,
        signals=tuple(signals),
        score=round(score, 3),
        reasons=(
            f"{count(len(signals), 'violation')} in {count(len(paths), 'file')}",
            f"{len(fixable)} with a safe fix",
        ),
    )
