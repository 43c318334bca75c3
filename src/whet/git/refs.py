"""Commits and refs: resolving names, the history, making commits, and moving refs by compare and swap."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from whet.errors import BaseMoved, EnvironmentProblem, GitFailed, UsageError
from whet.git.worktrees import Worktrees

ZERO = "0" * 40  # stands for "no commit", in repositories of either hash format


@dataclass(frozen=True)
class Commit:
    """A commit in the log, with its `Whet-*` and other trailers."""

    id: str
    at: str
    author: str
    subject: str
    trailers: dict[str, str]


class Refs(Worktrees):
    """Reads and moves refs, and writes commit objects. The files of a checkout are not touched."""

    def resolve(self, revision: str) -> str:
        """Return the full hash of the commit that a revision names, or refuse with a UsageError."""
        out = self.try_ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if not out:
            raise UsageError(
                f"there is no commit {revision!r} in this repository", "`git branch --all` shows the branches"
            )
        return out.decode().strip()

    def first_commit(self) -> str:
        """Return the oldest commit along first parents: the same in every full clone, whatever is merged later."""
        if self.is_shallow():
            raise EnvironmentProblem(
                "this is a shallow clone, so whet cannot tell which repository it is", "git fetch --unshallow"
            )
        return self.text("rev-list", "--first-parent", "--max-parents=0", self.resolve("HEAD"))

    def origin(self) -> str:
        """Return the address of the remote `origin` as the settings name it; empty if there is none."""
        out = self.try_ask("config", "--get", "remote.origin.url")
        return out.decode(errors="replace").strip() if out else ""

    def is_shallow(self) -> bool:
        return self.text("rev-parse", "--is-shallow-repository") == "true"

    def is_ancestor(self, commit: str, ref: str) -> bool:
        return self.try_ask("merge-base", "--is-ancestor", commit, ref) is not None

    def log(self, revision: str, path: str | None = None, limit: int | None = 1000, grep: str = "") -> list[Commit]:
        """Return commits, newest first, optionally only those that touch `path` or whose message matches `grep`."""
        # NUL separates the fields, because no commit message can hold it.
        fields_format = "%H%x00%cI%x00%an%x00%s%x00%(trailers:only,unfold)"
        limits = (*((f"--max-count={limit}",) if limit else ()), *((f"--grep={grep}",) if grep else ()))
        where = ("--", path) if path else ()
        out = self.ask("log", "-z", *limits, f"--format=tformat:{fields_format}", revision, *where)
        fields = out.decode(errors="replace").split("\0")[:-1]
        return [_commit(fields[at : at + 5]) for at in range(0, len(fields), 5)]

    def read_ref(self, ref: str) -> str:
        """Return the commit that a ref points at, or 40 zeros if the ref does not exist."""
        out = self.try_ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        return out.decode().strip() if out else ZERO

    def branch(self) -> str | None:
        """Return the full ref that is checked out, or None on a detached head."""
        return self.symbolic_target("HEAD")

    def symbolic_target(self, ref: str) -> str | None:
        """Return the ref that a symbolic ref points at; None if `ref` is not symbolic."""
        out = self.try_ask("symbolic-ref", "--quiet", ref)
        return out.decode(errors="surrogateescape").strip() if out else None

    def commit(self, tree: str, parent: str, message: str, author: str, at: datetime) -> str:
        """Write a commit object and return its hash; equal arguments give the same commit, so a step can run again."""
        name, _, mail = author.rstrip(">").partition(" <")
        date = f"{int(at.timestamp())} +0000"
        env = {
            "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": mail, "GIT_COMMITTER_DATE": date,
        }  # fmt: skip
        parents = () if parent == ZERO else ("-p", parent)
        out = self.ask("commit-tree", tree, *parents, "-F", "-", stdin=message.encode(), env=env)
        return out.decode().strip()

    def move_ref(self, ref: str, new: str, old: str, reason: str) -> None:
        """Move a ref from `old` to `new`, or raise BaseMoved if it is not at `old`.

        A symbolic ref is itself replaced; the ref that it points at stays.
        """
        expected = "" if old == ZERO else old  # the empty string tells git that the ref must not exist yet
        done = self.run(("update-ref", "--no-deref", "-m", reason, "--create-reflog", ref, new, expected))
        if done.code == 0:
            return
        if (now := self.read_ref(ref)) != old:
            raise BaseMoved(f"{ref} is at {now[:10]}, not at {old[:10]} as it was when the change was proved")
        raise GitFailed(f"git update-ref failed: {done.err.strip()}")

    def remove_ref(self, ref: str, old: str) -> None:
        """Delete a ref that points at `old`; git fails if it points elsewhere."""
        self.ask("update-ref", "--no-deref", "-d", ref, old)

    def drop_branch(self, ref: str, expected: str) -> None:
        """Delete a branch that points at `expected`; keep it if it moved, is checked out or is being worked on."""
        if self.read_ref(ref) == expected and not self.checked_out(ref) and not self.unfinished_operation(ref):
            self.remove_ref(ref, expected)


def _commit(fields: Sequence[str]) -> Commit:
    identity, at, author, subject, trailers = fields
    pairs = (line.split(": ", 1) for line in trailers.split("\n") if ": " in line)
    return Commit(identity, at, author, subject, {key: value.strip() for key, value in pairs})
