from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"

    @property
    def red(self) -> bool:
        return self in (Outcome.FAILED, Outcome.ERROR)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """How one test failed: the exception, and the frames from the test inwards as (path, line, function).

    `compared` are the two sides of the equation that did not hold, as Python writes them, where it was one.
    """

    exception: str
    message: str
    frames: tuple[tuple[str, int, str], ...]
    text: str
    compared: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SuiteReport:
    """What one run of the target's suite showed, per test id.

    `complete` is false when the run ended before its end record: a crash, a time-out, a flood. Such a run shows
    nothing about the ids that are missing. `exit_only` marks a runner that gives no ids at all. `looks` are digests: of the
    tree's modules by path, as they were before the first test ran, and of parts of the library by name, after the last.
    """

    tree: str
    outcomes: dict[str, Outcome]
    seconds: float
    complete: bool
    problem: str = ""
    exit_code: int | None = None
    exit_only: bool = False
    failures: dict[str, Failure] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)

    @property
    def red(self) -> frozenset[str]:
        return frozenset(test for test, outcome in self.outcomes.items() if outcome.red)

    @property
    def passed(self) -> frozenset[str]:
        return frozenset(test for test, outcome in self.outcomes.items() if outcome is Outcome.PASSED)
