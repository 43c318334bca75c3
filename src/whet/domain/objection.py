"""An objection of an agent to a proposal."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Objection:
    """A reason against a proposal, in the words of a program. It is shown to the person who decides, and decides nothing.

    `by` is the program's own name for itself, so it proves nothing. `evidence` is the digest of the proposal's evidence at
    that time; empty if there was none.
    """

    id: str
    proposal: str
    why: str
    by: str
    evidence: str
    at: datetime


def notes_of(proposal: str) -> str:
    """Return the subject of the notes that agents record about a proposal.

    It is not the proposal's own id, so that nothing that reads a proposal's rows to decide something meets a note.
    """
    return f"{proposal}/notes"
