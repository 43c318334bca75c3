"""The payloads of signals that come from reports of other systems, and from the history of the target.

Only the first signal of a group carries the facts; the others are further occurrences. `why_not` says why no engine can
propose a change yet.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class FailedCiTest:
    """A test that failed in CI runs. `state` is `failing` if the newest run failed and no pass is between the failures,
    else `flaky`."""

    kind: ClassVar[str] = "failed_ci_test"
    state: str = ""
    runs: int = 0
    failures: int = 0
    message: str = ""
    path: str = ""
    line: int = 1
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class AnalyserResult:
    """A result of a static analyser; the signal's subject is its rule. `level` is SARIF's: error, warning or note."""

    kind: ClassVar[str] = "analyser_result"
    tool: str
    level: str
    message: str
    path: str
    line: int
    why_not: str


@dataclass(frozen=True, kw_only=True)
class RecurringFailure:
    """A failure that was reported again and again with one signature; the signal's subject is the operation.

    `failures` of `reports` about the operation failed so. `path`, `line` and `function` are the innermost frame of the project.
    """

    kind: ClassVar[str] = "recurring_failure"
    signature: str
    exception: str = ""
    message: str = ""
    failures: int = 0
    reports: int = 0
    first_at: str = ""
    path: str = ""
    line: int = 1
    function: str = ""
    inputs: str = ""
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class ChangedMetric:
    """A metric that drifts. `how` is `rate`, `median` or `trend`; `size` the change of a rate, or relative to `before`.

    `related` are metrics whose changes go together with this one's.
    """

    kind: ClassVar[str] = "changed_metric"
    metric: str = ""
    how: str = ""
    before: float = 0.0
    recent: float = 0.0
    size: float = 0.0
    events: int = 0
    related: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class TroubledHistory:
    """A file or function whose commits point to trouble; the signal's subject is `path` or `path::function`.

    `trouble` is `churn`, `reverts` or `fix_on_fix`. `commits` of the newest `commits_read` show it, within `days`; three
    quarters of the changed files are in at most `usual`. `newest` is the last of them.
    """

    kind: ClassVar[str] = "troubled_history"
    trouble: str
    path: str = ""
    function: str = ""
    line: int = 1
    commits: int = 0
    commits_read: int = 0
    usual: float = 0.0
    days: int = 0
    newest: str = ""
    why_not: str = ""
