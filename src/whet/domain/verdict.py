"""The verdict of a proof and the results of its checks."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from whet.domain.canonical import ADDED
from whet.domain.proved_claim import ProvedClaim
from whet.domain.undecided_call import UndecidedCall


class Verdict(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


_DECIDING_ORDER = (Verdict.FAILED, Verdict.INCONCLUSIVE, Verdict.PASSED, None)


@dataclass(frozen=True)
class SafeguardResult:
    """The result of one test that tells a real fix from a cheat. `verdict` is None if it did not apply.

    `notes` are open points that a reader should know and that do not decide, one sentence each. `question` is the call
    that a person should decide, if the result comes from one.
    """

    name: str
    verdict: Verdict | None
    words: str
    notes: tuple[str, ...] = field(default=(), metadata=ADDED)
    question: UndecidedCall | None = field(default=None, metadata=ADDED)

    @property
    def decides(self) -> bool:
        """True if the result speaks against the patch."""
        return self.verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE)


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
    claim: ProvedClaim | None = field(default=None, metadata=ADDED)
    """The claim that the result shows; None is a fix by tests of the base, or nothing."""
    package: str = field(default="", metadata=ADDED)
    """The package whose tests ran, in a repository with several."""
    affected_by: str = field(default="", metadata=ADDED)
    """The reason why the change affects that package."""

    @property
    def label(self) -> str:
        """Return the name of the check, with the package that it looked at."""
        return f"{self.check} in {self.package}" if self.package else self.check

    @property
    def shows_claim(self) -> bool:
        """True if the result shows what the change is for."""
        return self.saw_red or (self.claim is not None and self.claim.without_red)

    @property
    def saw_red(self) -> bool:
        """True if every target failed, passed with the patch and failed again without it."""
        return bool(self.red) and set(self.red) == set(self.green) == set(self.reverted)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the open points of all safeguards, each once."""
        return tuple(dict.fromkeys(note for safeguard in self.safeguards for note in safeguard.notes))


def deciding_first(safeguards: Iterable[SafeguardResult]) -> tuple[SafeguardResult, ...]:
    """Return the results in the order of their weight: failures, doubts, passes, results that did not apply."""
    return tuple(sorted(safeguards, key=lambda safeguard: _DECIDING_ORDER.index(safeguard.verdict)))
