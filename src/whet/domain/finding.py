"""A finding: a problem or a request that whet may work on."""

from dataclasses import dataclass
from enum import StrEnum

from whet.domain.category import Category
from whet.domain.signal import Signal


class FindingKind(StrEnum):
    FAILING_TEST = "failing_test"
    LINT = "lint"
    SUGGESTED = "suggested"
    FAILING_TOOL = "failing_tool"
    DEGRADING_TOOL = "degrading_tool"
    SLOW_TOOL = "slow_tool"


# One failing test or one suggestion is enough: the test can be run again, and the suggestion is a person's request.
# The other kinds need three signals, so that a single accident is not worked on.
MINIMUM_SIGNALS = {
    FindingKind.FAILING_TEST: 1,
    FindingKind.SUGGESTED: 1,
    FindingKind.LINT: 3,
    FindingKind.FAILING_TOOL: 3,
    FindingKind.DEGRADING_TOOL: 3,
    FindingKind.SLOW_TOOL: 3,
}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A problem or a request, with the signals that show it. Made by `phases/diagnose`.

    `signature` is stable across runs and machines: the same problem gets the same signature tomorrow.
    `score` ranks findings, and `reasons` explain the score.
    """

    id: str
    kind: FindingKind
    signature: str
    title: str
    category: Category
    subjects: tuple[str, ...]
    paths: tuple[str, ...]
    signals: tuple[Signal, ...]
    score: float
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        minimum = MINIMUM_SIGNALS[self.kind]
        if len(self.signals) < minimum:
            raise ValueError(f"a {self.kind} finding needs {minimum} signals, has {len(self.signals)}")
