"""The git ref `refs/whet/ledger`: a chain of empty commits, each of which names a position in the ledger."""

from whet.domain.clock import now
from whet.errors import BaseMoved, DamagedLedger
from whet.git.git import ZERO, Git
from whet.ledger.entry import RESTORE_IT, Head
from whet.ledger.witness import REF, RefPosition

ACCEPTED = "Whet-Accepted"
"""The trailer of a commit with which a person accepted a record that did not match. Earlier commits do not count."""


class GitLedgerRef:
    """The ref in one repository. whet never pushes it; `git push origin refs/whet/ledger` does."""

    def __init__(self, git: Git, author: str) -> None:
        self._git, self._author = git, author

    def read(self) -> RefPosition | None:
        commit = self._git.read_ref(REF)
        if commit == ZERO:
            return None
        [entry] = self._git.log(commit, limit=1)
        return RefPosition(commit, _position(entry.trailers) or Head(0, ""))

    def commit(self, head: Head, parent: str, note: str) -> str:
        tree = self._git.ask("mktree").decode().strip()
        accepted = f"{ACCEPTED}: {' '.join(note.split())}\n" if note else ""
        text = f"Ledger at row {head.seq}\n\nWhet-Ledger: {head}\n{accepted}"
        return self._git.commit(tree, parent or ZERO, text, self._author, now())

    def move(self, new: str, old: str) -> None:
        try:
            self._git.move_ref(REF, new, old or ZERO, "whet: ledger")
        except BaseMoved as problem:
            raise DamagedLedger(f"{REF} was moved by something other than whet", RESTORE_IT) from problem

    def positions(self) -> list[RefPosition]:
        """Return the ref's commits back to the last one with which a person accepted the record, newest first."""
        positions = []
        for entry in self._git.log(REF, limit=None) if self.read() else ():
            positions.append(RefPosition(entry.id, _position(entry.trailers) or Head(0, "")))
            if ACCEPTED in entry.trailers:
                break
        return positions


def _position(trailers: dict[str, str]) -> Head | None:
    return Head.parse(trailers.get("Whet-Ledger", ""))
