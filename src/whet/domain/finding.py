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


# A failing test can be run again at will and a suggestion is a person's word on record; anything else that was
# seen fewer than three times is an accident, not a finding.
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
    """Something that fails, recurs or was asked for, with the signals that show it.

    `signature` is stable over runs and machines: the same trouble found tomorrow has the same signature.
    `score` ranks findings; `reasons` say in words where the score comes from.
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
