from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class SafeguardResult:
    """One question that a fix and a cheat answer differently: what was seen, and what it says about the patch.

    No verdict means that there was nothing to ask.
    """

    name: str
    verdict: Verdict | None
    words: str


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What one check showed.

    `red` are the targets seen failing on the base, `green` those passing with the patch, `reverted` those failing
    again with the patch taken out. `saw_red` therefore tells whether this check has been seen to fail.
    """

    check: str
    verdict: Verdict
    reason: str
    red: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
    reverted: tuple[str, ...] = ()
    held: int = 0
    regressed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    also_mended: tuple[str, ...] = ()
    safeguards: tuple[SafeguardResult, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def saw_red(self) -> bool:
        return bool(self.red) and set(self.red) == set(self.green) == set(self.reverted)
