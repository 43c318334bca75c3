from dataclasses import dataclass
from typing import Protocol

from whet.domain.patch import Patch
from whet.domain.verdict import CheckResult


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a check is asked to judge: a patch, what it should mend (by check), which of its tests count as evidence.

    `trusted_tests` were written by whet from a recorded case, or vouched for by the person who asks for the proof.
    `restored` are protected paths that are taken from the base, whatever the patch does to them.
    """

    patch: Patch
    targets: dict[str, tuple[str, ...]]
    trusted_tests: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()


class Check(Protocol):
    """A way to show that a patch does what it claims and harms nothing: red before, green with it, red without."""

    def check(self, claim: Claim) -> CheckResult: ...
