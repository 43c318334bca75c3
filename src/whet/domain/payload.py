"""The payloads of the built-in signal kinds. `whet.store.codec.decode` reads one from a signal's plain data."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from whet.domain.canonical import ADDED
from whet.domain.recommendation import Recommendation
from whet.domain.regression import Regression
from whet.domain.suite import Failure
from whet.domain.timed_calls import TimedCalls


@dataclass(frozen=True, kw_only=True)
class FailingTest:
    """A red test of the target's suite. `failure` is missing where the runner gives only an exit code."""

    kind: ClassVar[str] = "failing_test"
    outcome: str
    failure: Failure | None = None
    exit_code: int | None = None


@dataclass(frozen=True, kw_only=True)
class LintViolation:
    """One violation of a lint rule; the signal's subject is the rule. `fixable`: the linter has a safe fix."""

    kind: ClassVar[str] = "violation"
    path: str
    line: int
    message: str
    fixable: bool


@dataclass(frozen=True, kw_only=True)
class ClonedMistake:
    """Code that a proven fix has changed elsewhere; the signal's subject is the pattern of the fix.

    `replay` is a test file that shows the mistake there, and `failures` how its tests fail.
    """

    kind: ClassVar[str] = "cloned_mistake"
    pattern: str
    path: str
    line: int
    code: str
    mended_by: str
    mended_in: str
    replay: Regression | None = None
    failures: dict[str, Failure] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CodemodPlaces:
    """The places of one file that a declared rewrite matches; the signal's subject is the rewrite. `package` is a folder."""

    kind: ClassVar[str] = "codemod_places"
    path: str
    package: str
    lines: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class BrokenFormula:
    """A declared formula that gets a case wrong or lacks a property; the signal's subject is its name.

    `broken` has a sentence for each. `replay` is a test file that shows it, and `failures` how its tests fail; there is none
    for units, which no call shows.
    """

    kind: ClassVar[str] = "broken_formula"
    path: str
    line: int
    function: str
    broken: tuple[str, ...]
    replay: Regression | None = None
    failures: dict[str, Failure] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ObservedTool:
    """The tool that a signal is about. `path` is the file of its module; empty if the repository does not have it."""

    name: str
    version: str
    path: str
    characteristics: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FailingCall:
    """A captured call of a tool that failed, among others that failed the same way.

    Only the first signal of such a group carries the facts below `inputs`; the others name the failure and their inputs.
    `summary` is the error in one line, `affected` the number of calls that failed so. `replay` is the test file that shows
    the failure in the sandbox and `failures` how its tests fail there; `why_not` says why there is no such file.
    """

    kind: ClassVar[str] = "failing_call"
    signature: str
    inputs: str
    summary: str = ""
    tool: ObservedTool | None = None
    calls: int = 0
    affected: int = 0
    recommendation: Recommendation | None = None
    frames: tuple[tuple[str, str, int], ...] = ()
    replay: Regression | None = None
    failures: dict[str, Failure] = field(default_factory=dict)
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class WorseWindow:
    """An hour of a tool's calls that were worse than they should be. `why_not` says why no engine without a model helps."""

    kind: ClassVar[str]
    signature: str
    summary: str
    tool: ObservedTool
    calls: int
    affected: int
    why_not: str


@dataclass(frozen=True, kw_only=True)
class DegradedWindow(WorseWindow):
    """An hour in which a tool was worse than before, in errors or in duration."""

    kind: ClassVar[str] = "degraded_window"


@dataclass(frozen=True, kw_only=True)
class SlowWindow(WorseWindow):
    """An hour in which a tool was slow. `timed` is a benchmark of its captured calls, which one signal of the tool carries."""

    kind: ClassVar[str] = "slow_window"
    timed: TimedCalls | None = field(default=None, metadata=ADDED)
