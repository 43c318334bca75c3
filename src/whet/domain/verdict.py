"""The verdict of a proof and the results of its checks."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class SafeguardResult:
    """The result of one test that tells a real fix from a cheat. `verdict` is None if it did not apply."""

    name: str
    verdict: Verdict | None
    words: str


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """The result of one check.

    `red` are the targets that failed on the base, `green` those that passed with the patch, and `reverted` those that
    failed again after the patch was reverted.
    """

    check: str
    verdict: Verdict
    reason: str
    red: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
    reverted: tuple[str, ...] = ()
    held: int = 0  # tests that were not red on the base and did not get worse
    regressed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    also_mended: tuple[str, ...] = ()
    still_red: tuple[str, ...] = ()  # tests besides the targets that are red on the base and with the patch
    safeguards: tuple[SafeguardResult, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def saw_red(self) -> bool:
        """True if every target failed, passed with the patch and failed again without it."""
        return bool(self.red) and set(self.red) == set(self.green) == set(self.reverted)
