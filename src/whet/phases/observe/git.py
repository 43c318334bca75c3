"""Signals from the target's own history: churn, reverts, and fixes that follow fixes.

The newest commits are counted, because a day says nothing about churn. A trouble is reported only if it went on within
the window. Commits that an earlier look has read are remembered, so that only new ones are read.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from whet.domain.clock import now
from whet.domain.past_commit import CommitKind, PastCommit
from whet.domain.reported import TroubledHistory
from whet.domain.signal import Signal
from whet.errors import Corrupt, GitFailed
from whet.git.history import FileVersions, LoggedCommit
from whet.intake.skips import Skips
from whet.intake.texts import safe_text
from whet.kit import Kit
from whet.phases.observe.history import Trouble, kind_of, troubles
from whet.pyast.functions import changed_functions, first_line
from whet.store.history import CommitHistory

MOST_FILES, MOST_FIXES, MOST_TROUBLES = 100, 100, 5
_MOST_SIGNALS, _MOST_FILES_OF_A_FIX, _LARGEST = 5, 10, 500_000
_WHY_NOT = "the history shows it, and no test does: findings in the same file come earlier, and nothing is proposed"


class GitHistory:
    """The signal source `git`: reads the newest `sources.commits` commits."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        at, skips = now(), Skips()
        commits, beginning = self._commits(commit, at, skips)
        if wide := sum(past.kind is CommitKind.WIDE for past in commits):
            skips.add("", "commit", f"more than {MOST_FILES} files changed, which says little about each of them", wide)
        entries = self._git.entries(self._git.tree_of(commit))
        paths = frozenset(
            entry.path for entry in entries if _is_source(entry.path) and not self._kit.is_test(entry.path)
        )
        since = at - timedelta(hours=self._policy.window_hours)
        shown: Counter[str] = Counter()
        signals: list[Signal] = []
        for trouble in troubles(commits, paths, since, self._policy.pattern):
            if shown[trouble.kind] == MOST_TROUBLES:
                skips.add("", "finding", f"a look gives at most {MOST_TROUBLES} of a kind, those with the most commits")
                continue
            shown[trouble.kind] += 1
            signals += self._signals(trouble, len(commits), commit)
        self.skipped = (*beginning, *skips.sentences())
        return tuple(signals)

    def commits(self, commit: str) -> list[PastCommit]:
        """Return the newest commits, as the source reads them."""
        return self._commits(commit, now(), Skips())[0]

    def _commits(self, commit: str, at: datetime, skips: Skips) -> tuple[list[PastCommit], tuple[str, ...]]:
        """Return the newest commits, and a sentence if the history is longer than what is read of it."""
        most = self._policy.commits
        names = self._git.newest_commits(commit, most + 1)
        store = CommitHistory(self._kit.state)
        known = store.read()
        unknown = [name for name in names[:most] if name not in known]
        shallow = self._git.is_shallow()
        if unknown:
            known |= {past.id: past for past in self._read(unknown, at, skips)}
        commits = [known[name] for name in names[:most]]
        if unknown:  # the oldest commit of a shallow clone seems to change nothing, until more is fetched
            store.keep(past for past in commits if past.paths or not shallow)
        if len(names) > most:
            oldest = f"{commits[-1].id[:10]} of {commits[-1].at:%Y-%m-%d}"
            return commits, (f"commits before {oldest} are left out: the newest {most:,} count (sources.commits)",)
        return commits, ("the clone is shallow, so older commits are not seen",) if shallow else ()

    def _read(self, names: Sequence[str], at: datetime, skips: Skips) -> Iterator[PastCommit]:
        fixes = 0
        for logged in self._git.logged(names):
            kind = CommitKind.WIDE if len(logged.files) > MOST_FILES else kind_of(logged.subject, logged.body)
            files = [file for file in logged.files if _is_source(file.path)] if kind is not CommitKind.WIDE else []
            functions: tuple[str, ...] = ()
            if kind is CommitKind.FIX and files:
                fixes += 1
                if fixes > MOST_FIXES or len(files) > _MOST_FILES_OF_A_FIX:
                    why = f"a look compares {MOST_FIXES} fixes, with at most {_MOST_FILES_OF_A_FIX} files each"
                    skips.add("changed functions", "fix", why)
                else:
                    functions = self._functions(files, skips)
            yield PastCommit(
                id=logged.id,
                at=_time(logged, at),
                subject=safe_text(logged.subject),
                kind=kind,
                paths=tuple(file.path for file in files),
                functions=functions,
            )

    def _functions(self, files: Sequence[FileVersions], skips: Skips) -> tuple[str, ...]:
        """Return the functions that a fix changed; those that it added or removed are left out."""
        both = [file for file in files if file.before.strip("0") and file.after.strip("0")]
        try:
            contents = iter(list(self._git.blobs([blob for file in both for blob in (file.before, file.after)])))
        except (Corrupt, GitFailed):
            skips.add("changed functions", "fix", "the content of the files is not in this clone")
            return ()
        names: list[str] = []
        for file, before, after in zip(both, contents, contents, strict=False):
            if max(len(before), len(after)) <= _LARGEST:
                changed = changed_functions(before.decode(errors="replace"), after.decode(errors="replace"))
                names += (f"{file.path}::{name}" for name in changed)
        return tuple(names)

    def _signals(self, trouble: Trouble, commits_read: int, base: str) -> Iterator[Signal]:
        newest, *earlier = trouble.commits[:_MOST_SIGNALS]
        facts = TroubledHistory(
            trouble=trouble.kind,
            path=trouble.path,
            function=trouble.function,
            line=self._line(trouble, base),
            commits=len(trouble.commits),
            commits_read=commits_read,
            usual=trouble.usual,
            days=trouble.days,
            newest=f"{newest.id[:10]} {newest.subject}",
            why_not=_WHY_NOT,
        )
        yield Signal.of("git", trouble.subject, facts, newest.at, float(len(trouble.commits)))
        for past in earlier:
            yield Signal.of("git", trouble.subject, TroubledHistory(trouble=trouble.kind), past.at)

    def _line(self, trouble: Trouble, base: str) -> int:
        content = self._git.read(base, trouble.path) if trouble.function else None
        return first_line((content or b"").decode(errors="replace"), trouble.function)


def _is_source(path: str) -> bool:
    return path.endswith(".py") and path.isprintable()


def _time(logged: LoggedCommit, at: datetime) -> datetime:
    """Return when a commit was made. A time that is missing, or in the future, is that of the look."""
    try:
        return min(datetime.fromtimestamp(int(logged.seconds), UTC), at)
    except (ValueError, OverflowError, OSError):
        return at
