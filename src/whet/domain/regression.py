from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Regression:
    """A test file that whet writes and ships with the fix.

    The tests in `red` fail on the base and must pass with the fix; those in `held` pass on both.
    """

    path: str
    text: str
    red: tuple[str, ...]
    held: tuple[str, ...] = ()
