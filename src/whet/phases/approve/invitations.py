"""Invitations to make a passkey: who signed one, and if it still holds. Public keys are enough for it."""

from collections.abc import Collection
from datetime import datetime
from hashlib import sha256

from whet.domain.approval import Voter
from whet.domain.approvers import Approvers
from whet.domain.invitation import Invitation
from whet.domain.statement import InvitationStatement, field_of
from whet.errors import NotCounted
from whet.phases.approve.votes import PROTECT, exposed, is_before, verify


def link_of(secret: str) -> str:
    """Return the name of an invitation: the digest of the secret in its link. The secret itself is not on record."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def text_of(invitation: Invitation, repository: str) -> str:
    """Return the statement that this invitation must have been signed with."""
    signed = invitation.vote.statement
    return InvitationStatement.about(
        repository, invitation.invited, invitation.origin, invitation.link, invitation.expires_at,
        field_of(signed, "who"), field_of(signed, "why"),
    ).text  # fmt: skip


def inviter(
    invitation: Invitation, in_force: Approvers, repository: str, at: datetime, open_keys: Collection[str] = ()
) -> Voter:
    """Return the approver who signed an invitation that holds at this time.

    Raise NotCounted or BadSignature for one that is over, that names something else than what was signed, or that nobody
    signed who is an approver now. `open_keys` are fingerprints of keys that any program of this user can sign with.
    """
    if invitation.vote.statement != text_of(invitation, repository):
        raise NotCounted("the invitation is not the one that was signed", "ask for another one")
    if at >= invitation.expires_at or is_before(at, invitation.vote.at):
        raise NotCounted("the invitation is over", "ask for another one")
    voter = verify(invitation.vote, in_force, at)
    if not voter.proven:
        raise NotCounted("nobody has signed the invitation", "whet approvers invite NAME --key FILE")
    if voter.key in open_keys:
        raise NotCounted(exposed(voter.key), PROTECT)
    return voter
