"""An invitation to enrol a passkey."""

from dataclasses import dataclass
from datetime import datetime

from whet.domain.approval import Vote


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """An approver's signed permission to make one passkey for `invited` at the server `origin`, until `expires_at`.

    `link` is the SHA-256 of the secret in the link, in hex. `vote` has the signed statement. An invitation enrols nobody: the
    passkey that is made with it counts once the approvers have signed the change of `whet.passkeys`.
    """

    invited: str
    origin: str
    link: str
    expires_at: datetime
    vote: Vote
