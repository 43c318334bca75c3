"""The report of one run of the target's test suite."""

from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of one test."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"

    @property
    def red(self) -> bool:
        """True if the test failed or broke."""
        return self in (Outcome.FAILED, Outcome.ERROR)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """The failure of one test: the exception, and the frames from the test inwards as (path, line, function).

    `compared` holds the `repr` of both sides if the failed assertion was an equality.
    """

    exception: str
    message: str
    frames: tuple[tuple[str, int, str], ...]
    text: str
    compared: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SuiteReport:
    """The outcomes of one run of the suite, by test id. Made by `whet.target.suite`.

    `complete` is false if the run ended without its end line (crash, timeout, too much output); such a run says
    nothing about missing ids. `exit_only` marks a runner that reports no ids. `looks` are digests that show tampering:
    of the tree's modules by path, taken before the first test, and of parts of the library by name, taken after the
    last test. `doctests` are the ids of examples in docstrings and text files, which their form does not always show.
    `file_seconds` is the time of each file's tests. `from_file` marks a report that was read from a cache file, which anybody
    may have written: nothing in it counts until it is confirmed.
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
    doctests: frozenset[str] = frozenset()
    file_seconds: dict[str, float] = field(default_factory=dict)
    from_file: bool = False

    @property
    def red(self) -> frozenset[str]:
        return frozenset(test for test, outcome in self.outcomes.items() if outcome.red)

    @property
    def passed(self) -> frozenset[str]:
        return frozenset(test for test, outcome in self.outcomes.items() if outcome is Outcome.PASSED)
