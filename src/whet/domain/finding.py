"""A finding: a problem or a request that whet may work on."""

from dataclasses import dataclass
from enum import StrEnum

from whet.domain.category import Category
from whet.domain.signal import Signal

MINIMUM_SIGNALS = 3
"""Anything seen fewer than three times may be an accident. An analyzer whose signals can be reproduced at will (a failing
test) or are requests (a suggestion) may ask for fewer."""


class FindingKind(StrEnum):
    """The kinds of the built-in analyzers. A plug-in's analyzer names its own."""

    FAILING_TEST = "failing_test"
    LINT = "lint"
    SUGGESTED = "suggested"
    FAILING_TOOL = "failing_tool"
    DEGRADING_TOOL = "degrading_tool"
    SLOW_TOOL = "slow_tool"
    CI_TEST = "ci_test"
    ANALYSER = "analyser"
    RECURRING = "recurring_failure"
    CLONED_MISTAKE = "cloned_mistake"
    TUNED_CONSTANTS = "tuned_constants"
    IMPROVED_TEXT = "improved_text"
    CODEMOD = "codemod"
    BROKEN_FORMULA = "broken_formula"
    DRIFT = "drift"
    HISTORY = "history"
    REVIEWED = "reviewed"


# One failing test, suggestion, analyser's error, clone of a mended bug, tuning, improved text, declared rewrite or broken
# formula is enough: the tool can be run again, and the suggestion is a person's request. One remark of a model is enough because nothing is
# proposed for it without a test that fails. A record that claims less for a built-in kind is not believed.
_BUILT_IN_MINIMUM: dict[str, int] = {
    FindingKind.FAILING_TEST: 1,
    FindingKind.SUGGESTED: 1,
    FindingKind.ANALYSER: 1,
    FindingKind.CLONED_MISTAKE: 1,
    FindingKind.TUNED_CONSTANTS: 1,
    FindingKind.IMPROVED_TEXT: 1,
    FindingKind.CODEMOD: 1,
    FindingKind.BROKEN_FORMULA: 1,
    FindingKind.REVIEWED: 1,
    FindingKind.LINT: MINIMUM_SIGNALS,
    FindingKind.FAILING_TOOL: MINIMUM_SIGNALS,
    FindingKind.DEGRADING_TOOL: MINIMUM_SIGNALS,
    FindingKind.SLOW_TOOL: MINIMUM_SIGNALS,
    FindingKind.CI_TEST: MINIMUM_SIGNALS,
    FindingKind.RECURRING: MINIMUM_SIGNALS,
    FindingKind.DRIFT: MINIMUM_SIGNALS,
    FindingKind.HISTORY: MINIMUM_SIGNALS,
}


REPORTED = frozenset(
    {FindingKind.CI_TEST, FindingKind.RECURRING, FindingKind.DRIFT, FindingKind.HISTORY, FindingKind.REVIEWED}
)
"""Kinds that reports of other systems, the history and a model that reads files show. `whet scan` lists them although no engine can act on them yet."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A problem or a request, with the signals that show it. Made by `phases/diagnose`.

    `signature` is stable over runs and machines: the same problem, found again later, has the same signature.
    `score` ranks findings; `reasons` say in words where the score comes from. `minimum_signals` is the analyzer's rule for
    this kind of finding, kept for the audit.
    """

    id: str
    kind: str
    signature: str
    title: str
    category: Category
    subjects: tuple[str, ...]
    paths: tuple[str, ...]
    signals: tuple[Signal, ...]
    score: float
    reasons: tuple[str, ...]
    minimum_signals: int = MINIMUM_SIGNALS

    def __post_init__(self) -> None:
        minimum = max(self.minimum_signals, _BUILT_IN_MINIMUM.get(self.kind, 1))
        if len(self.signals) < minimum:
            raise ValueError(f"a {self.kind} finding needs {minimum} signals, has {len(self.signals)}")
