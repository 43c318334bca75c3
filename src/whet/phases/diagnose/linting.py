"""Violations of one rule as a finding, in the category that the rule belongs to."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.signal import Signal

_CATEGORIES = (
    ("PERF", Category.PERFORMANCE), ("PT", Category.TEST_COVERAGE), ("D", Category.DOCUMENTATION),
    ("B", Category.BUG_FIX), ("ASYNC", Category.BUG_FIX), ("UP", Category.REFACTORING), ("SIM", Category.REFACTORING),
    ("C4", Category.REFACTORING), ("RET", Category.REFACTORING), ("PL", Category.REFACTORING),
)  # fmt: skip


def category_of(rule: str) -> Category:
    """By the linter a rule comes from: `PERF401` is performance, `F401` code quality."""
    return dict(_CATEGORIES).get(_linter(rule), Category.CODE_QUALITY)


def _linter(rule: str) -> str:
    prefix = rule.rstrip("0123456789")
    return "PL" if prefix.startswith("PL") else "C4" if rule.startswith("C4") else prefix


def findings(signals: Sequence[Signal], wanted: Sequence[str], is_test: Callable[[str], bool]) -> list[Finding]:
    """One per rule that is violated often enough outside the tests, which whet does not edit."""
    rules: dict[str, list[Signal]] = defaultdict(list)
    for signal in signals:
        if not is_test(str(signal.payload["path"])):
            rules[signal.subject].append(signal)
    enough = MINIMUM_SIGNALS[FindingKind.LINT]
    return [_finding(rule, found, wanted) for rule, found in rules.items() if len(found) >= enough]


def _finding(rule: str, signals: Sequence[Signal], wanted: Sequence[str]) -> Finding:
    fixable = [signal for signal in signals if signal.payload["fixable"]]
    paths = tuple(dict.fromkeys(str(signal.payload["path"]) for signal in (*fixable, *signals)))
    share = len(fixable) / len(signals)
    score = 0.1 + 0.2 * share + min(0.1, len(signals) / 1000)
    reasons = [f"{len(signals)} violations in {len(paths)} files", f"{len(fixable)} have a safe fix"]
    if any(path in wanted for path in paths):
        score, reasons = score + 0.1, [*reasons, "someone asked for an improvement there"]
    signature = digest(["lint", rule])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.LINT,
        signature=signature,
        title=f"{rule}: {signals[0].payload['message']}",
        category=category_of(rule),
        subjects=(rule,),
        paths=paths,
        signals=tuple(signals),
        score=round(score, 3),
        reasons=tuple(reasons),
    )
