"""A passkey that an invited person made."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class InvitedPasskey:
    """The line of `whet.passkeys` that the holder of an invitation's link made. It counts for nothing until it is signed.

    `link` names the invitation. The person behind the link is whoever had it, so approvers compare the fingerprint with them.
    """

    link: str
    who: str
    line: str
    at: datetime
