"""Git objects: trees, blobs, tar streams of trees, and new trees built in a temporary index."""

import contextlib
import hashlib
import tempfile
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from whet.errors import Corrupt, GitFailed
from whet.git.command import GitCommand
from whet.git.tar import Tar, make_tar

_FULL_HASH_LENGTHS = (40, 64)  # SHA-1 and SHA-256
_TARS_KEPT = 3  # a proof runs three trees: the base, the patch, and the patch reverted
_LISTS_KEPT, _ANSWERS_KEPT = 4, 32
_REPAIR = "run `git fsck`; in a partial clone, from which whet fetches nothing, `git fetch --refetch`"


@dataclass(frozen=True)
class TreeEntry:
    """A file, link or submodule in a tree, as `git ls-tree` prints it."""

    mode: str
    kind: str
    blob: str
    path: str


class Objects(GitCommand):
    """Reads and writes git objects. The user's checkout and index are neither read nor written."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._trees: dict[str, str] = {}
        self._tars: dict[str, Tar] = {}
        self._tar_lock = threading.Lock()
        # The content behind a full hash never changes, and one proof reads the same few trees many times.
        self._cached_list = lru_cache(_LISTS_KEPT)(self._list)
        self._cached_search = lru_cache(_LISTS_KEPT)(self._search)
        self._cached_blobs = lru_cache(_ANSWERS_KEPT)(lambda names: tuple(self.blobs(names)))
        self._cached_ask = lru_cache(_ANSWERS_KEPT)(self.ask)

    # ---- reading ----------------------------------------------------------------------------------------------

    def has(self, commit: str) -> bool:
        """True if this repository holds the commit and its tree."""
        return self.try_ask("cat-file", "-e", f"{commit}^{{tree}}") is not None

    def tree_of(self, commit: str) -> str:
        """Return the hash of a commit's tree; the hash of a tree is returned unchanged."""
        if len(commit) not in _FULL_HASH_LENGTHS:
            return self.text("rev-parse", "--verify", f"{commit}^{{tree}}")
        if commit not in self._trees:
            self._trees[commit] = self.text("rev-parse", "--verify", f"{commit}^{{tree}}")
        return self._trees[commit]

    def entries(self, tree: str) -> tuple[TreeEntry, ...]:
        """Return every file, link and submodule of a tree, at any depth."""
        return self._cached_list(tree) if len(tree) in _FULL_HASH_LENGTHS else self._list(tree)

    def _list(self, tree: str) -> tuple[TreeEntry, ...]:
        rows = self.ask("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
        return tuple(_entry(row) for row in rows if row)

    def blob(self, blob: str) -> bytes:
        """Return the content behind a hash, checked against the hash."""
        data = self.try_ask("cat-file", "blob", blob)
        if data is None:
            raise Corrupt(f"git object {blob} is missing or damaged", _REPAIR)
        return _checked(data, blob)

    def blobs(self, names: Sequence[str]) -> Iterator[bytes]:
        """Yield the content of many blobs, each checked against its hash, read with one call of git."""
        if not names:
            return
        out = self.ask("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode())
        at = 0
        for name in names:
            end = out.index(b"\n", at)
            header = out[at:end].split(b" ")
            if len(header) != 3:
                raise Corrupt(f"git object {name} is missing", _REPAIR)
            size = int(header[2])
            yield _checked(out[end + 1 : end + 1 + size], name)
            at = end + 2 + size

    def read(self, commit: str, path: str) -> bytes | None:
        """Return the content of a file in a commit or tree, or None if no file is there."""
        rows = self.ask("ls-tree", "-z", "--full-tree", commit, "--", path).split(b"\0")
        found = (entry for entry in map(_entry, filter(None, rows)) if entry.kind == "blob" and entry.path == path)
        return next((self.blob(entry.blob) for entry in found), None)

    def read_all(self, tree: str, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the content of these files in a tree by path; missing files are left out."""
        requested = set(paths)
        blobs = {
            entry.path: entry.blob for entry in self.entries(tree) if entry.path in requested and entry.kind == "blob"
        }
        return dict(zip(blobs, self._cached_blobs(tuple(blobs.values())), strict=True))

    def words_in(self, commit: str, words: Sequence[str]) -> frozenset[str]:
        """Return those of these words that occur in any text file of a commit."""
        return self._cached_search(self.tree_of(commit), tuple(words))

    def _search(self, tree: str, words: tuple[str, ...]) -> frozenset[str]:
        patterns = [argument for word in words for argument in ("-e", word)]
        done = self.run(("grep", "-h", "-o", "-I", "--fixed-strings", *patterns, tree))
        if done.code not in (0, 1):  # 1: no match
            raise GitFailed(f"git grep failed: {done.err.strip()}")
        return frozenset(done.out.decode(errors="replace").splitlines()) & frozenset(words)

    def _ask_about(self, names: Collection[str], *args: str) -> bytes:
        """Return the output of a git command about these objects. Cache it if every name is a full hash, which never moves."""
        ask = self._cached_ask if all(len(name) in _FULL_HASH_LENGTHS for name in names) else self.ask
        return ask(*args, *names)

    # ---- tar streams ------------------------------------------------------------------------------------------

    def tar(self, tree: str, over: Mapping[str, bytes | None] | None = None) -> bytes:
        """Return a tree as a tar stream, with the files of `over` replaced or, where None, left out.

        The files of `over` are not written to the repository. `git archive` would obey `export-ignore` in
        .gitattributes, and many projects exclude their tests that way.
        """
        stream = self._tar(tree)
        return stream.overlaid(over) if over else stream.data

    def files(self, tree: str) -> Collection[str]:
        """Return the paths of a tree's files and links."""
        return self._tar(tree).places.keys()

    def _tar(self, tree: str) -> Tar:
        with self._tar_lock:
            if tree not in self._tars:
                while len(self._tars) >= _TARS_KEPT:
                    del self._tars[next(iter(self._tars))]
                entries = [entry for entry in self.entries(tree) if entry.kind == "blob"]
                contents = self.blobs([entry.blob for entry in entries])
                self._tars[tree] = make_tar(
                    (entry.path, entry.mode, data) for entry, data in zip(entries, contents, strict=True)
                )
            return self._tars[tree]

    def regular_files(self, tree: str) -> list[str]:
        """Return the paths of a tree's files, without links and submodules."""
        return [entry.path for entry in self.entries(tree) if entry.mode.startswith("100")]

    # ---- new trees --------------------------------------------------------------------------------------------

    def with_files(self, base: str, files: Mapping[str, bytes | None]) -> str:
        """Return the tree `base` with these files written (mode kept, 100644 if new) or, where None, removed."""
        modes = {entry.path: entry.mode for entry in self.entries(base)}
        with self.temporary_index(base) as env:
            rows = []
            for path, data in files.items():
                if data is None:
                    rows.append(f"0 {self._null_hash}\t{path}")
                else:
                    blob = self.ask("hash-object", "-w", "--stdin", "--no-filters", stdin=data).decode().strip()
                    rows.append(f"{modes.get(path, '100644')} {blob}\t{path}")
            self._update_index(rows, env)
            return self.ask("write-tree", env=env).decode().strip()

    def with_entries(self, base: str, source: str, paths: Sequence[str]) -> str:
        """Return the tree `base` with these paths as they are in `source`: content, mode, presence."""
        entries = {entry.path: entry for entry in self.entries(source)}
        rows = []
        for path in paths:
            entry = entries.get(path)
            rows.append(f"{entry.mode} {entry.blob}\t{path}" if entry else f"0 {self._null_hash}\t{path}")
        with self.temporary_index(base) as env:
            self._update_index(rows, env)
            return self.ask("write-tree", env=env).decode().strip()

    @contextlib.contextmanager
    def temporary_index(self, tree: str) -> Iterator[dict[str, str]]:
        """Yield the environment of a temporary index that holds `tree`."""
        with tempfile.TemporaryDirectory(prefix="whet-index-") as folder:
            env = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self.ask("read-tree", tree, env=env)
            yield env

    def _update_index(self, rows: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Write rows to an index; removals come first, so that a file can replace a folder."""
        removals_first = sorted(rows, key=lambda row: not row.startswith("0 "))
        stdin = "".join(f"{row}\0" for row in removals_first).encode(errors="surrogateescape")
        self.ask("update-index", "-z", "--add", "--index-info", stdin=stdin, env=env)

    @cached_property
    def _null_hash(self) -> str:
        return "0" * (64 if self.text("rev-parse", "--show-object-format") == "sha256" else 40)


def blob_name(content: bytes, like: str) -> str:
    """Return git's hash of this content, in the hash format (SHA-1 or SHA-256) of `like`."""
    kind = "sha256" if len(like) == 64 else "sha1"
    return hashlib.new(kind, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _checked(content: bytes, name: str) -> bytes:
    """Return the content of a blob; git itself does not compare it with its hash, and an alternate may be anyone's."""
    if blob_name(content, name) != name:
        raise Corrupt(f"git object {name} does not match its hash", "run `git fsck`")
    return content


def path_of(raw: bytes) -> str:
    """Decode a path that git printed; bytes that are not UTF-8 become surrogates and are encoded back unchanged."""
    return raw.decode(errors="surrogateescape")


def _entry(row: bytes) -> TreeEntry:
    meta, path = row.split(b"\t", 1)
    mode, kind, blob = meta.decode().split(" ")
    return TreeEntry(mode, kind, blob, path_of(path))
