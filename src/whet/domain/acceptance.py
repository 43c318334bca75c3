"""The consent of people to a record that does not match its witness."""

from dataclasses import dataclass
from datetime import datetime

from whet.domain.approval import Vote, Voter


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """A record that was anchored as it is, although `problems` speak against it.

    `record` is the last row that was accepted, `witness` and `ref` what the witness and the git ref named then. `approvers`
    is the digest of the approvers whose signatures count, and `votes` are these signatures. Without any enrolled key there
    are no votes, and the acceptance is that of an unproven approver.
    """

    problems: tuple[str, ...]
    why: str
    at: datetime
    record: str = ""
    witness: str = ""
    ref: str = ""
    approvers: str = ""
    votes: tuple[Vote, ...] = ()
    voters: tuple[Voter, ...] = ()
