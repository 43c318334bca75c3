"""The witness: a small file outside the repository that names the last row of a ledger and the commit of its git ref.

Rows are announced in the witness before they are committed and confirmed afterwards. So the ledger ends exactly at the
row that the witness names, or, if a process was killed in between, at the row before it. Anything else is damage: a
recomputed chain, a cut-off tail, an older copy, or rows that something other than whet appended (ADR 18).
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

from whet import state_folder
from whet.domain.plural import count
from whet.errors import DamagedLedger, StateUnusable
from whet.ledger.entry import RESTORE_IT, Head

REF = "refs/whet/ledger"
ACCEPT = '`whet audit --accept "why"` begins a new witness for the record as it is'
_SIZE = 1024
"""The file is written in place, always at this size: one write, and one page of the disk."""


@dataclass(frozen=True)
class RefPosition:
    """The commit that the ledger's git ref points at, and the position that its message names."""

    commit: str
    head: Head


class LedgerRef(Protocol):
    """The git ref that repeats the ledger's head."""

    def read(self) -> RefPosition | None:
        """Return the ref's commit; None if there is no ref."""

    def commit(self, head: Head, parent: str, note: str) -> str:
        """Write a commit that names a position, and return its id. No ref moves."""

    def move(self, new: str, old: str) -> None:
        """Move the ref from `old` to `new`; raise DamagedLedger if it is not at `old`."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The content of a witness. The hash of row 1 (`first`) identifies the record."""

    first: str
    before: str
    row: str
    committed: bool
    ref: str = ""
    next_ref: str = ""
    earlier: str = ""

    def may_end_at(self, head: Head) -> bool:
        """True if the ledger ends at the named row, or at the one before if the named one was only announced."""
        return str(head) == self.row or (not self.committed and str(head) == self.before)

    def may_be_published_at(self, commit: str) -> bool:
        return commit in ({self.ref, self.next_ref} if self.next_ref else {self.ref})


@dataclass(frozen=True)
class WitnessComparison:
    """A ledger compared with its witness and its git ref. `problem` is damage; `unwitnessed` says why nothing can be
    compared. Both are empty if all is well."""

    mark: Mark | None
    published: RefPosition | None
    problem: str
    unwitnessed: str


class Witness:
    """The witness of one repository on this machine. Its name is derived from the repository's path."""

    def __init__(self, folder: Path, repository: Path, ref: LedgerRef) -> None:
        self._folder, self._repository, self.ref = folder, repository.resolve(), ref
        if folder.resolve().is_relative_to(self._repository):
            raise StateUnusable(f"{folder} is in the repository, and the witness must be outside", "set XDG_STATE_HOME")
        self._name = f"{hashlib.sha256(os.fsencode(self._repository)).hexdigest()[:32]}.head"

    @property
    def path(self) -> Path:
        return self._folder / self._name

    def read(self) -> Mark | None:
        """Return the witness; None if there is none on this machine. Raise StateUnusable if it cannot be read."""
        with self._shared() as mark:
            return mark

    def ends_at(self, head: Head) -> bool:
        """True if the witness agrees that the ledger ends at `head`. The git ref is not read."""
        mark = self.read()
        return mark is not None and mark.may_end_at(head)

    def compare(self, head: Head, hash_at: Callable[[int], str | None]) -> WitnessComparison:
        """Compare a ledger that ends at `head`. `hash_at` returns the hash of a row, or None if there is no such row."""
        with self._shared() as mark:  # while it is held, no other process moves the ref
            published = self.ref.read()
        unwitnessed = ""
        if mark is None and published is None and head.seq:
            unwitnessed = (
                f"it has {count(head.seq, 'row')}, but there is neither {self.path} nor {REF}: "
                "an earlier whet made it, or it was copied here"
            )
        return WitnessComparison(
            mark, published, witness_damage(self.path, mark, published, head, hash_at), unwitnessed
        )

    def begin(self, first: str, head: Head, instead_of: Mark | None, earlier: str = "") -> None:
        """Replace the mark `instead_of` by a new one at the last row of the record.

        Do nothing if another process has replaced the mark in the meantime.
        """
        with self._locked() as handle:
            if self._parse(handle) != instead_of:
                return  # another process was first
            published = self.ref.read()
            ref = published.commit if published else ""
            mark = Mark(first=first, before=str(head), row=str(head), committed=True, ref=ref, earlier=earlier)
            _write(handle, mark, flush=True)

    def announce(self, first: str, before: Head, row: Head) -> None:
        """Name a row that is about to be committed. Call this with the write lock of the database."""
        with self._locked() as handle:
            mark = self._parse(handle) or Mark(first=first, before="", row="", committed=False)
            mark = replace(mark, first=first, before=str(before), row=str(row), committed=False)
            _write(handle, mark, flush=True)

    def confirm(self, row: Head) -> None:
        """Note that a row was committed, unless a later row is named already."""
        with self._locked() as handle:
            mark = self._parse(handle)
            if mark and mark.row == str(row):
                _write(handle, replace(mark, committed=True), flush=False)

    def publish(self, head: Head, note: str = "") -> str:
        """Make the git ref name `head`, unless it names a later row already. Return the ref's commit.

        The new commit is in the witness before the ref moves, so that a killed process leaves no unexplained ref.
        """
        with self._locked() as handle:
            mark, published = self._parse(handle), self.ref.read()
            old = published.commit if published else ""
            if mark is None or not mark.may_be_published_at(old):
                raise DamagedLedger(f"{REF} is not where whet left it", RESTORE_IT)
            last = Head.parse(mark.row)
            if last is None or head.seq > last.seq or (head.seq == last.seq and head != last):
                raise DamagedLedger(f"row {head.seq} of the ledger was not appended by whet here", RESTORE_IT)
            if published and published.head.seq >= head.seq and not note:
                return old
            commit = self.ref.commit(head, old, note)
            _write(handle, replace(mark, ref=old, next_ref=commit), flush=True)
            self.ref.move(commit, old)
            _write(handle, replace(mark, ref=commit, next_ref=""), flush=True)
            return commit

    def _parse(self, handle: int) -> Mark | None:
        """Return the content of the opened file; None if it is empty because a process was killed when it created it."""
        text = os.pread(handle, _SIZE, 0)
        if not text:
            return None
        try:
            mark = Mark(**json.loads(text))
        except (ValueError, TypeError, RecursionError):
            mark = None
        heads = [mark.before, mark.row] if mark else []
        if not heads or not all(isinstance(head, str) and Head.parse(head) for head in heads):
            raise StateUnusable(f"{self.path} is damaged: it is not a witness", f"move it away; then {ACCEPT}")
        return mark

    @contextmanager
    def _shared(self) -> Iterator[Mark | None]:
        """Read the file and keep other threads and processes from writing it."""
        with self._explained():
            try:
                handle = state_folder.open_file(self._folder, self._name)
            except FileNotFoundError:
                yield None
                return
            try:
                fcntl.flock(handle, fcntl.LOCK_SH)
                yield self._parse(handle)
            finally:
                os.close(handle)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open the file and keep other threads and processes from reading and writing it."""
        with self._explained():
            try:
                handle = state_folder.open_file(self._folder, self._name, os.O_RDWR)
            except FileNotFoundError:
                handle = self._create()
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                yield handle
            finally:
                os.close(handle)

    def _create(self) -> int:
        self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        state_folder.make_folder(self._folder)
        return state_folder.open_file(self._folder, self._name, os.O_RDWR | os.O_CREAT)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise StateUnusable(
                f"the ledger's witness {self.path} cannot be used: {problem.strerror}",
                "make its folder writable for your user, or set XDG_STATE_HOME to a folder that is",
            ) from problem


def _write(handle: int, mark: Mark, *, flush: bool) -> None:
    os.pwrite(handle, json.dumps(asdict(mark)).ljust(_SIZE - 1).encode() + b"\n", 0)
    if flush:
        os.fdatasync(handle)


def witness_damage(
    path: Path, mark: Mark | None, published: RefPosition | None, head: Head, hash_at: Callable[[int], str | None]
) -> str:
    """Return how a ledger contradicts its witness and its git ref; empty if it does not.

    `hash_at` returns the hash of a row, or None if there is no such row.
    """
    if head.seq == 0 and published is None:
        return ""  # nothing is recorded, or the repository was cloned again at this path
    if mark:
        problem = _row_damage(path, mark, head, hash_at) or _ref_damage(mark, published)
        if problem:
            return problem
    if published and published.head.seq and hash_at(published.head.seq) != published.head.hash:
        return f"row {published.head.seq} is missing or different from the one that {REF} names"
    return ""


def _row_damage(path: Path, mark: Mark, head: Head, hash_at: Callable[[int], str | None]) -> str:
    if mark.may_end_at(head) and (head.seq == 0 or hash_at(1) == mark.first):
        return ""
    row = Head.parse(mark.row) or head
    if head.seq and hash_at(1) != mark.first:
        return f"row 1 is not the one in {path}: the chain was recomputed, or the database is that of another record"
    if head.seq < row.seq:
        return (
            f"it ends at row {head.seq}, but {path} names row {row.seq}: "
            "rows were cut off, or the database was exchanged for an older copy"
        )
    if hash_at(row.seq) != row.hash:
        return f"row {row.seq} is not the one in {path}: the chain was recomputed"
    return f"it ends at row {head.seq}, but {path} names row {row.seq}: whet did not append the rows after it here"


def _ref_damage(mark: Mark, published: RefPosition | None) -> str:
    if mark.may_be_published_at(published.commit if published else ""):
        return ""
    if published is None:
        return f"{REF} was deleted; it was at commit {(mark.next_ref or mark.ref)[:10]}"
    expected = mark.ref[:10] if mark.ref else "no commit"
    return f"{REF} was moved: it is at commit {published.commit[:10]} (row {published.head.seq}), not at {expected}"
