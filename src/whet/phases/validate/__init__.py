from dataclasses import dataclass
from typing import Protocol

from whet.domain.patch import Patch
from whet.domain.proved_claim import ProvedClaim
from whet.domain.timed_calls import TimedCalls
from whet.domain.undecided_call import UndecidedCall
from whet.domain.verdict import CheckResult


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A patch to check, and the targets that it must turn green, by the name of the check.

    `left_red` are targets that the engine gave up on: they need not turn green, but then the verdict is inconclusive.
    `trusted_tests` are test files of the patch that count as evidence: whet wrote them from a captured call, or the person
    who asks for the proof vouches for them. `restored` are protected paths that are taken from the base, whatever the patch
    does to them. `by_outsider` is true if whet has no proposal for the patch, `foreign` if whet did not write it. `stated` is the claim that the proof is asked for, if no
    test is to turn green. `timed` is the benchmark of captured calls that the patch must make faster. `undecided` is a call that patches which hold answer
    differently.
    """

    patch: Patch
    targets: dict[str, tuple[str, ...]]
    left_red: tuple[str, ...] = ()
    trusted_tests: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    by_outsider: bool = False
    foreign: bool = False
    stated: ProvedClaim | None = None
    timed: TimedCalls | None = None
    undecided: UndecidedCall | None = None

    def targets_of(self, check: str) -> tuple[str, ...]:
        """Return the targets of a check that must turn green."""
        return tuple(target for target in self.targets.get(check, ()) if target not in self.left_red)


class Check(Protocol):
    """A way to show that a patch does what it claims and breaks nothing: red on the base, green with it, red on revert."""

    def check(self, claim: Claim) -> CheckResult | None:
        """Return the result; None if the check has nothing to look at in this project."""
        ...
