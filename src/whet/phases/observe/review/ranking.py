"""The order in which files are read: churn times complexity times failures."""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping

from whet.cases.plain_test import parsed
from whet.domain.past_commit import CommitKind, PastCommit
from whet.domain.suite import SuiteReport

_BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.BoolOp, ast.IfExp, ast.comprehension, ast.match_case,
)  # fmt: skip
_A_FIX = 2  # a fix says more about a file than another change


def ranked(sources: Mapping[str, str], commits: Iterable[PastCommit], report: SuiteReport | None) -> list[str]:
    """Return the paths of the files, those that a reader should see first in front; equal ones by name."""
    churn: Counter[str] = Counter()
    for commit in commits:
        churn.update(dict.fromkeys(commit.paths, _A_FIX if commit.kind is CommitKind.FIX else 1))
    failures = _failures(report)
    scores = {path: (1 + churn[path]) * (1 + branches(text)) * (1 + failures[path]) for path, text in sources.items()}
    return sorted(scores, key=lambda path: (-scores[path], path))


def branches(source: str) -> int:
    """Return how many branches a file has; 0 if it is not Python that this version can read."""
    return sum(isinstance(node, _BRANCHES) for node in ast.walk(parsed(source)))


def _failures(report: SuiteReport | None) -> Counter[str]:
    """Return how many failing tests have a frame in each file."""
    frames = (failure.frames for failure in report.failures.values()) if report else ()
    return Counter(path for failure in frames for path in {path for path, _, _ in failure})
