"""Host git, hardened: no hooks, no filters from outside, no inherited settings, trees built in a temporary index.

What is tested and what is deployed is one tree hash; the user's checkout and index are only ever written by
`follow`, after the caller made sure that they are clean.
"""

import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path

from whet.domain.change import Change, ChangeStatus
from whet.domain.patch import Patch
from whet.errors import BaseMoved, Corrupt, EnvironmentProblem, GitFailed, NotARepository, UsageError
from whet.git.tar import Tar, make_tar
from whet.sandbox.process import Completed, call

ZERO = "0" * 40  # no commit, in repositories of either kind of name
_FULL = (40, 64)  # SHA-1 and SHA-256
_TARS_KEPT = 3  # the base, the patch, and the patch taken out again
_LISTS_KEPT, _TEXTS_KEPT, _ANSWERS_KEPT = 4, 64, 32
_MOST_CONFLICTS = 127  # merge-file says no more; beyond it is an error
_MARKER = 41  # longer than what a text about merging would hold
_SETTINGS = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false",
    "-c", "commit.gpgSign=false", "-c", "gc.auto=0", "-c", "diff.external=", "-c", "core.pager=cat",
    "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.suppressBlankEmpty=false",
    "-c", "core.attributesFile=/dev/null", "-c", "apply.whitespace=nowarn", "-c", "safe.directory=*",
    "-c", "core.safecrlf=false",
)  # fmt: skip
_STAND_FOR_MORE = (b"120000", b"160000")  # links and submodules
_DIFF = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--binary")
_REBASING = ("rebase-merge/head-name", "rebase-apply/head-name", "rebase-merge/update-refs")
_HALF_DONE = {
    "MERGE_HEAD": "a merge", "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert", "sequencer": "a sequence",
    "rebase-apply": "a series of patches",
}  # fmt: skip
_STATUS = {
    "A": ChangeStatus.ADDED, "M": ChangeStatus.MODIFIED, "D": ChangeStatus.DELETED, "T": ChangeStatus.TYPE_CHANGED,
}  # fmt: skip


@dataclass(frozen=True)
class TreeEntry:
    mode: str
    kind: str
    blob: str
    path: str


@dataclass(frozen=True)
class Commit:
    id: str
    at: str
    author: str
    subject: str
    trailers: dict[str, str]


class Git:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._trees: dict[str, str] = {}
        self._tars: dict[str, Tar] = {}
        # What lies under a full hash never changes, and one proof asks for the same few again and again.
        self._listed = lru_cache(_LISTS_KEPT)(self._list)
        self._found = lru_cache(_LISTS_KEPT)(self._find)
        self._content = lru_cache(_TEXTS_KEPT)(self.blob)
        self._said = lru_cache(_ANSWERS_KEPT)(self.ask)
        self._blobs = lru_cache(_ANSWERS_KEPT)(lambda names: tuple(self.blobs(names)))
        self._one_at_a_time = threading.Lock()

    # ---- asking -----------------------------------------------------------------------------------------------

    def ask(self, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        done = self._call(args, given, env)
        if done.code != 0:
            raise GitFailed(f"git {args[0]} failed: {done.err.strip() or f'exit code {done.code}'}")
        return done.out

    def try_ask(self, *args: str) -> bytes | None:
        done = self._call(args, b"", None)
        return done.out if done.code == 0 else None

    def text(self, *args: str) -> str:
        return self.ask(*args).decode(errors="surrogateescape").strip()

    def _ask_of(self, names: Collection[str], *args: str) -> bytes:
        """Once for all, where everything it is about is named by a full hash."""
        ask = self._said if all(len(name) in _FULL for name in names) else self.ask
        return ask(*args, *names)

    def _call(self, args: Sequence[str], given: bytes, env: Mapping[str, str] | None) -> Completed:
        return call(
            ["git", *_SETTINGS, *args],
            env={**_environment(), **(env or {})},
            cwd=self.root,
            given=given,
            timeout_seconds=120,
        )

    def resolve(self, revision: str) -> str:
        out = self.try_ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if not out:
            raise UsageError(
                f"there is no commit {revision!r} in this repository", "`git branch --all` shows the branches"
            )
        return out.decode().strip()

    def first_commit(self) -> str:
        """Where the history begins, along first parents: the same in every full clone, whatever is merged later."""
        if self.is_shallow():
            raise EnvironmentProblem(
                "this is a shallow clone, so it cannot be told which repository it is of", "git fetch --unshallow"
            )
        return self.text("rev-list", "--first-parent", "--max-parents=0", self.resolve("HEAD"))

    def is_shallow(self) -> bool:
        return self.text("rev-parse", "--is-shallow-repository") == "true"

    def has(self, commit: str) -> bool:
        """Whether a commit, with its tree, is among the objects of this checkout."""
        return self.try_ask("cat-file", "-e", f"{commit}^{{tree}}") is not None

    def tree_of(self, commit: str) -> str:
        if len(commit) not in _FULL:
            return self.text("rev-parse", "--verify", f"{commit}^{{tree}}")
        if commit not in self._trees:  # a full hash names one tree for ever
            self._trees[commit] = self.text("rev-parse", "--verify", f"{commit}^{{tree}}")
        return self._trees[commit]

    def read_ref(self, ref: str) -> str:
        """The commit a ref points at, or 40 zeros where there is no such ref."""
        out = self.try_ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        return out.decode().strip() if out else ZERO

    def branch(self) -> str | None:
        """The full ref that is checked out, or None on a detached head."""
        return self.stands_for("HEAD")

    def stands_for(self, ref: str) -> str | None:
        """The ref that a symbolic one leads to; None for one that names a commit itself."""
        out = self.try_ask("symbolic-ref", "--quiet", ref)
        return out.decode(errors="surrogateescape").strip() if out else None

    @cached_property
    def common_folder(self) -> Path:
        """Git's own folder, which all worktrees of the repository share."""
        out = self.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
        return Path(os.fsdecode(out.rstrip(b"\n")))

    def entries(self, tree: str) -> tuple[TreeEntry, ...]:
        return self._listed(tree) if len(tree) in _FULL else self._list(tree)

    def _list(self, tree: str) -> tuple[TreeEntry, ...]:
        rows = self.ask("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
        return tuple(_entry(row) for row in rows if row)

    def blob(self, blob: str) -> bytes:
        """The content behind a hash, checked against it."""
        data = self.try_ask("cat-file", "blob", blob)
        if data is None:
            raise Corrupt(f"git object {blob} is missing or damaged", "run `git fsck`")
        if blob_name(data, blob) != blob:
            raise Corrupt(f"git object {blob} does not hold what its name says", "run `git fsck`")
        return data

    def read(self, commit: str, path: str) -> bytes | None:
        found = self.ask("ls-tree", "-z", "--full-tree", commit, "--", path)
        if not found:
            return None
        return self.blob(_entry(found.rstrip(b"\0")).blob)

    def blobs(self, names: Sequence[str]) -> Iterator[bytes]:
        if not names:
            return
        out = self.ask("cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
        at = 0
        for name in names:
            end = out.index(b"\n", at)
            header = out[at:end].split(b" ")
            if len(header) != 3:
                raise Corrupt(f"git object {name} is missing", "run `git fsck`")
            size = int(header[2])
            yield out[end + 1 : end + 1 + size]
            at = end + 2 + size

    def words_in(self, commit: str, words: Sequence[str]) -> frozenset[str]:
        """Which of these words stand anywhere in the files of a commit."""
        return self._found(self.tree_of(commit), tuple(words))

    def _find(self, tree: str, words: tuple[str, ...]) -> frozenset[str]:
        wanted = [argument for word in words for argument in ("-e", word)]
        done = self._call(("grep", "-h", "-o", "-I", "--fixed-strings", *wanted, tree), b"", None)
        if done.code not in (0, 1):  # 1: none
            raise GitFailed(f"git grep failed: {done.err.strip()}")
        return frozenset(done.out.decode(errors="replace").splitlines()) & frozenset(words)

    # ---- trees and patches ------------------------------------------------------------------------------------

    def tar(self, tree: str, over: Mapping[str, bytes | None] | None = None) -> bytes:
        """The tree as a tar stream, with these files laid over it or, where None, left out; git hears nothing of them.

        Not `git archive`: that obeys `export-ignore` and loses test folders.
        """
        made = self._tar(tree)
        return made.laid_over(over) if over else made.data

    def files(self, tree: str) -> Collection[str]:
        """The paths of a tree's files."""
        return self._tar(tree).places.keys()

    def _tar(self, tree: str) -> Tar:
        with self._one_at_a_time:
            if tree not in self._tars:
                while len(self._tars) >= _TARS_KEPT:
                    del self._tars[next(iter(self._tars))]
                entries = [entry for entry in self.entries(tree) if entry.kind == "blob"]
                contents = self.blobs([entry.blob for entry in entries])
                self._tars[tree] = make_tar(
                    (entry.path, entry.mode, data) for entry, data in zip(entries, contents, strict=True)
                )
            return self._tars[tree]

    def read_all(self, tree: str, paths: Iterable[str]) -> dict[str, bytes]:
        """What these files hold in a tree; those that are not there are left out."""
        wanted = set(paths)
        found = {
            entry.path: entry.blob for entry in self.entries(tree) if entry.path in wanted and entry.kind == "blob"
        }
        return dict(zip(found, self._blobs(tuple(found.values())), strict=True))

    @contextlib.contextmanager
    def _scratch(self, tree: str) -> Iterator[dict[str, str]]:
        """A temporary index that holds `tree`; the user's own is not looked at."""
        with tempfile.TemporaryDirectory(prefix="whet-index-") as folder:
            env = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self.ask("read-tree", tree, env=env)
            yield env

    def apply(self, base: str, diff: bytes, *, reverse: bool = False) -> str | None:
        """The tree that results from applying a diff to `base`, or None where it does not apply."""
        if not diff:
            return self.text("rev-parse", "--verify", f"{base}^{{tree}}")
        with self._scratch(base) as env:
            flags = ("--reverse",) if reverse else ()
            done = self._call(("apply", "--cached", "--binary", *flags, "-"), diff, env)
            return self.ask("write-tree", env=env).decode().strip() if done.code == 0 else None

    def with_files(self, base: str, files: Mapping[str, bytes | None]) -> str:
        """The tree `base` with these files written (mode kept, 100644 if new) or, where None, removed."""
        modes = {entry.path: entry.mode for entry in self.entries(base)}
        with self._scratch(base) as env:
            rows = []
            for path, data in files.items():
                if data is None:
                    rows.append(f"0 {self._no_object}\t{path}")
                else:
                    blob = self.ask("hash-object", "-w", "--stdin", "--no-filters", given=data).decode().strip()
                    rows.append(f"{modes.get(path, '100644')} {blob}\t{path}")
            self._enter(rows, env)
            return self.ask("write-tree", env=env).decode().strip()

    def with_entries(self, base: str, source: str, paths: Sequence[str]) -> str:
        """The tree `base` with these paths as they are in `source`: content, mode, presence."""
        wanted = {entry.path: entry for entry in self.entries(source)}
        with self._scratch(base) as env:
            rows = [
                f"{wanted[path].mode} {wanted[path].blob}\t{path}" if path in wanted else f"0 {self._no_object}\t{path}"
                for path in paths
            ]
            self._enter(rows, env)
            return self.ask("write-tree", env=env).decode().strip()

    @cached_property
    def _no_object(self) -> str:
        return "0" * (64 if self.text("rev-parse", "--show-object-format") == "sha256" else 40)

    def _enter(self, rows: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Write rows to an index; removals come first, so that a file may take the place of a folder."""
        ordered = sorted(rows, key=lambda row: not row.startswith("0 "))
        given = "".join(f"{row}\0" for row in ordered).encode(errors="surrogateescape")
        self.ask("update-index", "-z", "--add", "--index-info", given=given, env=env)

    def diff(self, old: str, new: str) -> bytes:
        return self._ask_of((old, new), "diff-tree", "-r", "-p", *_DIFF)

    def changes(self, old: str, new: str) -> tuple[Change, ...]:
        asked = ("diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-abbrev")
        rows = iter(self._ask_of((old, new), *asked).split(b"\0"))
        metas: dict[str, bytes] = {}
        counts: dict[str, tuple[int, int] | None] = {}
        for row in rows:
            if row.startswith(b":"):
                metas[path_of(next(rows))] = row
            elif row:
                added, removed, path = row.split(b"\t", 2)
                counts[path_of(path)] = None if added == b"-" else (int(added), int(removed))
        return tuple(_change(meta, path, counts) for path, meta in metas.items())

    def patch(self, base: str, tree: str, summary: str) -> Patch:
        diff = self.diff(base, tree)
        return Patch(
            base=base,
            tree=tree,
            diff=diff.decode(errors="backslashreplace"),
            digest=hashlib.sha256(diff).hexdigest(),
            changes=self.changes(base, tree),
            summary=summary,
        )

    # ---- commits and refs -------------------------------------------------------------------------------------

    def commit(self, tree: str, parent: str, message: str, author: str, at: datetime) -> str:
        """A commit object; the same arguments give the same commit, so a step that runs again finds its own."""
        name, _, mail = author.rstrip(">").partition(" <")
        date = f"{int(at.timestamp())} +0000"
        env = {
            "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": mail, "GIT_COMMITTER_DATE": date,
        }  # fmt: skip
        out = self.ask("commit-tree", tree, "-p", parent, "-F", "-", given=message.encode(), env=env)
        return out.decode().strip()

    def move_ref(self, ref: str, new: str, old: str, reason: str) -> None:
        """Compare and swap: the ref itself, and none that it stands for, goes from `old` to `new`, or nothing happens."""
        there = "" if old == ZERO else old  # nothing at all is how git writes a ref that must not be there yet
        done = self._call(("update-ref", "--no-deref", "-m", reason, "--create-reflog", ref, new, there), b"", None)
        if done.code == 0:
            return
        if (now := self.read_ref(ref)) != old:
            raise BaseMoved(f"{ref} is at {now[:10]}, not at {old[:10]} as it was when the change was proved")
        raise GitFailed(f"git update-ref failed: {done.err.strip()}")

    def remove_ref(self, ref: str, old: str) -> None:
        self.ask("update-ref", "--no-deref", "-d", ref, old)

    def drop_branch(self, ref: str, expected: str) -> None:
        """Remove a branch that still points where it should; one that moved or is checked out is in use and stays."""
        if self.read_ref(ref) == expected and not self.checked_out(ref) and not self.under_way(ref):
            self.remove_ref(ref, expected)

    def texts(self, changes: Iterable[Change]) -> dict[str, tuple[str, str]]:
        """What each changed file held before and holds now; nothing where there is no file."""
        return {
            change.path: (self._text(change.old_mode, change.old_blob), self._text(change.new_mode, change.new_blob))
            for change in changes
        }

    def _text(self, mode: str, blob: str) -> str:
        return self._content(blob).decode(errors="replace") if mode.startswith("100") else ""

    def tracks(self, path: str) -> bool:
        """Whether the checkout's index holds this path, anything below it, or a link or submodule on the way to it."""
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        staged = self.ask("--literal-pathspecs", "ls-files", "--stage", "-z", "--", path, *above).split(b"\0")
        names = {row.partition(b"\t")[2]: row[:6] for row in staged if row}
        own = path.encode(errors="surrogateescape")
        inside = any(name == own or name.startswith(own + b"/") for name in names)
        return inside or any(names.get(name.encode(errors="surrogateescape")) in _STAND_FOR_MORE for name in above)

    def is_ancestor(self, commit: str, ref: str) -> bool:
        return self.try_ask("merge-base", "--is-ancestor", commit, ref) is not None

    def log(self, revision: str, path: str | None = None, limit: int | None = 1000, grep: str = "") -> list[Commit]:
        """Commits, newest first, with their `Whet-*` trailers. NUL, which no commit can hold, separates."""
        form = "%H%x00%cI%x00%an%x00%s%x00%(trailers:only,unfold)"
        limits = (*((f"--max-count={limit}",) if limit else ()), *((f"--grep={grep}",) if grep else ()))
        where = ("--", path) if path else ()
        out = self.ask("log", "-z", *limits, f"--format=tformat:{form}", revision, *where)
        fields = out.decode(errors="replace").split("\0")[:-1]
        return [_commit(fields[at : at + 5]) for at in range(0, len(fields), 5)]

    def merge_three(self, base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, list[tuple[list[str], list[str]]]]:
        """Both sides' changes to a text put together, and the lines of either side where they do not go together."""
        with tempfile.TemporaryDirectory(prefix="whet-merge-") as folder:
            names = [str(Path(folder) / name) for name in ("ours", "base", "theirs")]
            for name, text in zip(names, (ours, base, theirs), strict=True):
                Path(name).write_bytes(text)
            done = self._call(("merge-file", "--stdout", f"--marker-size={_MARKER}", *names), b"", None)
        if done.code < 0 or done.code > _MOST_CONFLICTS:
            raise GitFailed(f"git merge-file failed: {done.err.strip()}")
        return done.out, _conflicts(done.out.decode(errors="replace")) if done.code else []

    # ---- worktrees --------------------------------------------------------------------------------------------

    def checkouts(self) -> list[tuple[Path, str]]:
        """Every worktree with the branch that is checked out in it."""
        out = self.ask("worktree", "list", "--porcelain", "-z").decode(errors="surrogateescape")
        found: list[tuple[Path, str]] = []
        folder = ""
        for line in out.split("\0"):
            if line.startswith("worktree "):
                folder = line.removeprefix("worktree ")
            elif line.startswith("branch "):
                found.append((Path(folder), line.removeprefix("branch ")))
        return found

    def checked_out(self, ref: str) -> list[Path]:
        """The worktrees in which this branch is checked out."""
        return [folder for folder, branch in self.checkouts() if branch == ref and folder.exists()]

    def under_way(self, ref: str) -> str:
        """What git was told to do with this branch and has not finished, in words; empty where there is nothing.

        In a rebase or a bisection the branch is not checked out; git remembers it in the folder of that worktree.
        """
        name = ref.removeprefix("refs/heads/")
        for folder in self._worktree_folders():
            if any(ref in _lines(folder / file) for file in _REBASING):
                return f"{name} is being rebased"
            if name in _lines(folder / "BISECT_START"):
                return f"a bisection of {name} is under way"
        for checkout in self.checked_out(ref):
            folder = Path(Git(checkout).text("rev-parse", "--absolute-git-dir"))
            for file, what in _HALF_DONE.items():
                if (folder / file).exists():
                    return f"{what} is under way in {checkout}"
        return ""

    def _worktree_folders(self) -> list[Path]:
        """Git's own folder for every worktree that is there; one that was deleted by hand holds nothing up."""
        linked = (self.common_folder / "worktrees").glob("*")
        alive = [folder for folder in linked if any((folder / line).exists() for line in _lines(folder / "gitdir"))]
        return [self.common_folder, *alive]


def open_repository(start: Path) -> Git:
    """The repository that holds `start`, or a sentence that says why there is none to work on."""
    probe = Git(start)
    out = probe.try_ask("rev-parse", "--show-toplevel")
    if out is None and probe.try_ask("rev-parse", "--git-dir") is not None:
        raise NotARepository(f"{start} has no checkout: whet works in one", "clone it, and work in the clone")
    if out is None:
        raise NotARepository(f"{start} is not inside a git repository", "run `git init` and commit, or go to one")
    git = Git(Path(os.fsdecode(out.rstrip(b"\n"))))
    if git.try_ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise NotARepository(f"{git.root} has no commits yet", "commit something: whet proves changes against a commit")
    _refuse_a_linked_worktree(git)
    return git


def _refuse_a_linked_worktree(git: Git) -> None:
    """One repository, one kill switch, one ledger, one deploy lock: they lie in the checkout that it began with."""
    if git.text("rev-parse", "--absolute-git-dir") == str(git.common_folder):
        return
    first = git.common_folder.parent
    has_checkout = git.common_folder.name == ".git" and (first / ".git").is_dir()
    raise EnvironmentProblem(
        f"{git.root} is a linked worktree: whet keeps one kill switch and one ledger per repository",
        f"run whet in {first}; target.branch in its whet.toml names the branch to work on"
        if has_checkout
        else "clone the repository, and run whet in the clone",
    )


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",  # a path names itself, whatever stars and colons it holds
        "GIT_NO_REPLACE_OBJECTS": "1",  # refs/replace would show another commit under the hash that was proved
    }


def _lines(path: Path) -> list[str]:
    """A file of git's own, in lines; none where it is not there."""
    try:
        return path.read_text(errors="surrogateescape").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        raise GitFailed(f"{path} cannot be read: {problem.strerror}", "make it readable for you") from problem


def blob_name(content: bytes, like: str) -> str:
    """What git calls this content, in the kind of name that `like` is."""
    kind = "sha256" if len(like) == 64 else "sha1"
    return hashlib.new(kind, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def path_of(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")


def _entry(row: bytes) -> TreeEntry:
    meta, path = row.split(b"\t", 1)
    mode, kind, blob = meta.decode().split(" ")
    return TreeEntry(mode, kind, blob, path_of(path))


def _change(meta: bytes, path: str, counts: Mapping[str, tuple[int, int] | None]) -> Change:
    old_mode, new_mode, old_blob, new_blob, status = meta.decode().lstrip(":").split(" ")
    lines = counts.get(path)
    return Change(
        path=path,
        status=_STATUS[status[0]],
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_blob,
        new_blob=new_blob,
        added_lines=lines[0] if lines else 0,
        removed_lines=lines[1] if lines else 0,
        binary=lines is None,
    )


def _commit(fields: Sequence[str]) -> Commit:
    identity, at, author, subject, trailers = fields
    pairs = (line.split(": ", 1) for line in trailers.split("\n") if ": " in line)
    return Commit(identity, at, author, subject, {key: value.strip() for key, value in pairs})


def _conflicts(text: str) -> list[tuple[list[str], list[str]]]:
    found: list[tuple[list[str], list[str]]] = []
    side: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("<" * _MARKER):
            found.append(([], []))
            side = found[-1][0]
        elif line == "=" * _MARKER:
            side = found[-1][1]
        elif line.startswith(">" * _MARKER):
            side = None
        elif side is not None:
            side.append(line)
    return found
