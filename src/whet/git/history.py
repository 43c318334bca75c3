"""The history behind a commit: the newest commits, their messages, and the files that each changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.git.command import GitCommand
from whet.git.objects import path_of


@dataclass(frozen=True)
class FileVersions:
    """A file that a commit changed, with its content before and after by hash; zeros where there is none."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class LoggedCommit:
    """A commit as git logs it; `seconds` is the time of committing as text, which a broken commit may lack."""

    id: str
    seconds: str
    subject: str
    body: str
    files: tuple[FileVersions, ...]


class RecentCommits(GitCommand):
    """Reads commits and their changes, without the content of files."""

    def newest_commits(self, commit: str, most: int) -> list[str]:
        """Return the hashes of a commit and its ancestors, newest first. Merges are left out: they repeat other commits."""
        out = self.ask("rev-list", "--no-merges", f"--max-count={most}", commit)
        return out.decode().split()

    def logged(self, commits: Sequence[str]) -> list[LoggedCommit]:
        """Return these commits in this order. The first commit of a repository has no files: it changes nothing."""
        if not commits:
            return []
        names = "".join(f"{commit}\n" for commit in commits).encode()
        # NUL separates the fields, because no commit message can hold it.
        fields_format = "--format=tformat:%H%x00%ct%x00%s%x00%b"
        out = self.ask("log", "--no-walk=unsorted", "--no-patch", "-z", fields_format, "--stdin", stdin=names)
        fields = out.decode(errors="replace").split("\0")[:-1]
        files = self._files(names)
        rows = (fields[at : at + 4] for at in range(0, len(fields), 4))
        return [
            LoggedCommit(commit, seconds, subject, body, tuple(files.get(commit, ())))
            for commit, seconds, subject, body in rows
        ]

    def _files(self, names: bytes) -> dict[str, list[FileVersions]]:
        options = ("--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
        rows = iter(self.ask("diff-tree", *options, stdin=names).split(b"\0"))
        files: dict[str, list[FileVersions]] = {}
        changed: list[FileVersions] = []
        for row in rows:
            if row.startswith(b":"):  # the path is a field of its own
                _, _, before, after, _ = row.decode().split(" ")
                changed.append(FileVersions(path_of(next(rows)), before, after))
            elif row:
                changed = files.setdefault(row.decode().strip(), [])
        return files
