"""Trouble in a history: files that change far more often than the rest, repeated reverts, and fixes that follow fixes.

Pure functions over commits. The counts of changes per file are skewed in every repository, so a file is compared with the upper
quartile, not with the mean: in werkzeug, Tukey's fence on logarithms would pass over a file with 111 of 500 commits.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import quantiles

from whet.domain.past_commit import CommitKind, PastCommit

_LEAST_CHANGES, _LEAST_FILES, _FAR_MORE = 10, 8, 5
_SOON = timedelta(days=14)
_REVERTS = re.compile(r"^This (?:reverts commit|rolls back) [0-9a-f]{7,64}", re.MULTILINE)
_REVERT_SUBJECT = re.compile(r'Revert "(?!(?:Revert|Reapply) ")')  # the revert of a revert brings a change back
_FIX = re.compile(
    r"(?:[^:]{1,60}: *)?(?:hot|bug)?fix(?:e[sd])?\b(?![-_])|(?:hot|bug)?fix(?:\([^)]*\))?!?:", re.IGNORECASE
)
_CLOSES = re.compile(r"\b(?:fix(?:e[sd])?|resolve[sd]?) +#\d", re.IGNORECASE)
_NO_FIX_OF_CODE = re.compile(
    r"(?:docs?|style|tests?|ci|build|chore|lint|deps?|typing|types)(?:\([^)]*\))?!?:"
    r"|.*\b(?:typos?|lint|formatting|whitespace|white space|docstrings?|spelling|changelog)\b",
    re.IGNORECASE,
)


def kind_of(subject: str, body: str) -> CommitKind:
    """Return what a commit says that it is. A fix of documentation, tests or style is a plain change."""
    if _REVERT_SUBJECT.match(subject) and _REVERTS.search(body):
        return CommitKind.REVERT
    if _NO_FIX_OF_CODE.match(subject):
        return CommitKind.CHANGE
    return CommitKind.FIX if _FIX.match(subject) or _CLOSES.search(subject) else CommitKind.CHANGE


@dataclass(frozen=True)
class Trouble:
    """A file, or a function in it, and the commits that show the trouble, newest first."""

    kind: str
    path: str
    function: str
    commits: tuple[PastCommit, ...]
    usual: float = 0.0  # for churn: three quarters of the files are in no more commits

    @property
    def subject(self) -> str:
        return f"{self.path}::{self.function}" if self.function else self.path

    @property
    def days(self) -> int:
        """The days between the first and the last of the commits, a part of a day counted as one."""
        return (self.commits[0].at - self.commits[-1].at) // timedelta(days=1) + 1


def troubles(commits: Iterable[PastCommit], paths: Collection[str], since: datetime, pattern: int) -> list[Trouble]:
    """Return the troubles of these files whose newest commit is not before `since`, those with the most commits first.

    `pattern` is how many reverts, or fixes in a row, it takes.
    """
    by_path: dict[str, list[PastCommit]] = defaultdict(list)
    for commit in sorted(commits, key=lambda commit: commit.at, reverse=True):
        for path in commit.paths:
            if path in paths:
                by_path[path].append(commit)
    every = (*_fixes_on_fixes(by_path, pattern), *_reverts(by_path, pattern), *_churn(by_path))
    recent = [trouble for trouble in every if trouble.commits[0].at >= since]
    return sorted(recent, key=lambda trouble: (-len(trouble.commits), trouble.subject))


def _churn(by_path: Mapping[str, Sequence[PastCommit]]) -> Iterator[Trouble]:
    counts = Counter({path: len(commits) for path, commits in by_path.items()})
    if len(counts) < _LEAST_FILES:
        return
    *_, third = quantiles(counts.values(), n=4, method="inclusive")
    for path, number in counts.items():
        if number >= max(_LEAST_CHANGES, _FAR_MORE * third):
            yield Trouble("churn", path, "", tuple(by_path[path]), third)


def _reverts(by_path: Mapping[str, Sequence[PastCommit]], pattern: int) -> Iterator[Trouble]:
    for path, commits in by_path.items():
        reverts = tuple(commit for commit in commits if commit.kind is CommitKind.REVERT)
        if len(reverts) >= pattern:
            yield Trouble("reverts", path, "", reverts)


def _fixes_on_fixes(by_path: Mapping[str, Sequence[PastCommit]], pattern: int) -> Iterator[Trouble]:
    """Yield functions whose fixes were followed by fixes; a file where no function stands out, and most changes are fixes."""
    for path, commits in by_path.items():
        fixes = [commit for commit in commits if commit.kind is CommitKind.FIX]
        by_function: dict[str, list[PastCommit]] = defaultdict(list)
        for fix in fixes:
            for name in fix.functions:
                file, _, function = name.partition("::")
                if file == path:
                    by_function[function].append(fix)
        chains = {function: _newest_chain(members) for function, members in by_function.items()}
        repeated = {function: chain for function, chain in chains.items() if len(chain) >= pattern}
        for function, chain in repeated.items():
            yield Trouble("fix_on_fix", path, function, chain)
        chain = _newest_chain(fixes)
        if not repeated and len(chain) >= pattern:
            meanwhile = sum(commit.at >= chain[-1].at for commit in commits)
            if 2 * len(chain) > meanwhile:
                yield Trouble("fix_on_fix", path, "", chain)


def _newest_chain(fixes: Sequence[PastCommit]) -> tuple[PastCommit, ...]:
    """Return the newest fixes, each of which came soon after the one before it."""
    chain = list(fixes[:1])
    for fix in fixes[1:]:
        if chain[-1].at - fix.at > _SOON:
            break
        chain.append(fix)
    return tuple(chain)
