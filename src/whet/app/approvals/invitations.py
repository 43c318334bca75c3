"""Invite people to make a passkey in their browser, and take the passkeys that they made.

An invitation enrols nobody. It lets the holder of its link put one passkey on record, once; the approvers then sign the change of
`whet.passkeys` that names the key.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from whet.app.approvals import decisions
from whet.app.approvals.approvers import (
    NAMESPACE,
    enrol_passkey,
    nobody_enrolled,
    only_person,
    person_of,
    proof_of,
    public_half,
)  # fmt: skip
from whet.app.project import Project
from whet.domain.approval import Vote, Voter
from whet.domain.clock import now
from whet.domain.invitation import Invitation
from whet.domain.invited_passkey import InvitedPasskey
from whet.domain.redact import redact
from whet.domain.statement import InvitationStatement, field_of, line
from whet.errors import BadSignature, NotCounted, NotOnRecord, Refused, UsageError, WhetError
from whet.phases.approve.enrolments import SUBJECT
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.invitations import inviter, link_of
from whet.phases.approve.votes import ENROL, PROTECT, exposed
from whet.signing import keygen, passkeys, signers

MOST_HOURS = 24 * 14
_NO_USE = "this link is not known, was used already, is too old, or its inviter is no approver any more"
_ANOTHER = "ask an approver for another one: whet approvers invite NAME"


@dataclass(frozen=True, kw_only=True)
class NewInvitation:
    """An invitation before it is signed: its statement, and the link that the invited person gets."""

    statement: str
    link: str


@dataclass(frozen=True, kw_only=True)
class InvitationState:
    """An invitation for a list. `fingerprint` is that of the passkey which was made with it; empty if it is still open."""

    invited: str
    by: str
    origin: str
    expires_at: datetime
    fingerprint: str = ""


@dataclass(frozen=True, kw_only=True)
class InvitationTerms:
    """An approver's choice: the person, the address of the server's pages, how long the link works, and the reason."""

    invited: str
    address: str
    hours: int
    why: str = ""

    @property
    def origin(self) -> str:
        """The address without the path of a repository: a passkey answers for a whole server."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


def write_invitation(project: Project, terms: InvitationTerms, who: str = "") -> NewInvitation:
    """Return a new invitation in the words that `who` signs. Nothing is recorded, and the link works only once it is signed."""
    if nobody_enrolled(project):
        raise Refused("an approver signs the invitation, and nobody is enrolled yet", ENROL)
    if not 1 <= terms.hours <= MOST_HOURS:
        raise UsageError(f"an invitation lasts between 1 and {MOST_HOURS} hours", "--hours 48")
    passkeys.read(f"{terms.invited} {terms.origin} AA AA")  # refuses a name or an address that no passkey can have
    roll = decisions.roll_of(project)
    secret = secrets.token_urlsafe(32)
    statement = InvitationStatement.about(
        roll.repository, terms.invited, terms.origin, link_of(secret), now() + timedelta(hours=terms.hours),
        who or only_person(roll.in_force()), redact(terms.why),
    )  # fmt: skip
    return NewInvitation(statement=statement.text, link=f"{terms.address.rstrip('/')}/invitation/{secret}")


def sign_invitation(
    project: Project, terms: InvitationTerms, key: Path, *, who: str, show: Callable[[str], None]
) -> tuple[Voter, str]:
    """Show an invitation, sign it with the approver's key and record it. Return the approver and the link."""
    public = public_half(key)
    person = person_of(decisions.roll_of(project).in_force(), public, who)
    if exposed_keys([public]):
        raise NotCounted(exposed(public.fingerprint), PROTECT)
    invitation = write_invitation(project, terms, person)
    show(invitation.statement)
    signed = keygen.sign(invitation.statement.encode(), key, NAMESPACE)
    return record_invitation(project, invitation.statement, signed), invitation.link


def record_invitation(project: Project, statement: str, armored: str) -> Voter:
    """Record a signed invitation, and return the approver who signed it."""
    vote = Vote(statement=statement, proof=proof_of(statement, armored), via="cli", at=now())
    decisions.refuse_secrets(vote)
    try:
        expires_at = datetime.strptime(field_of(statement, "until"), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise BadSignature(
            "the statement is not an invitation", "whet approvers invite NAME --statement FILE"
        ) from None
    invited, origin, link = (field_of(statement, name) for name in ("invited", "origin", "link"))
    invitation = Invitation(invited=invited, origin=origin, link=link, expires_at=expires_at, vote=vote)
    passkeys.read(f"{invited} {origin} AA AA")
    voter = _inviter(project, invitation)
    project.ledger.append("approve", invitation, subject=SUBJECT, key=_key(link), actor=voter.who)
    return voter


def find_invitation(project: Project, secret: str, origin: str) -> Invitation:
    """Return the invitation that a link names, if a passkey can still be made with it at this address.

    Raise NotOnRecord for a link that is unknown, used or over, in the same words: they tell a guesser nothing.
    """
    entry = project.ledger.find(_key(link_of(secret)))
    if entry is None:
        raise NotOnRecord(_NO_USE, _ANOTHER)
    invitation = entry.unedited().read(Invitation)
    if link_of(secret) != invitation.link or project.ledger.find(_used(invitation.link)):
        raise NotOnRecord(_NO_USE, _ANOTHER)
    try:
        _inviter(project, invitation)
    except (NotCounted, BadSignature) as refusal:
        raise NotOnRecord(_NO_USE, _ANOTHER) from refusal
    if invitation.origin != origin:
        raise Refused(f"the invitation is for {invitation.origin}, and this server is {origin}", _ANOTHER)
    return invitation


def use_invitation(project: Project, secret: str, made: passkeys.Passkey) -> InvitedPasskey:
    """Record the passkey that was made with a link. A link can be used once, also by two requests at the same time."""
    invitation = find_invitation(project, secret, made.origin)
    if made.who != invitation.invited:
        raise Refused(f"the invitation is for {invitation.invited}", _ANOTHER)
    passkey = InvitedPasskey(link=invitation.link, who=made.who, line=made.text, at=now())
    entry = project.ledger.append(
        "approve", passkey, subject=SUBJECT, key=_used(invitation.link), actor=f"invited:{line(made.who)}"
    )
    recorded = entry.read(InvitedPasskey)
    if recorded.line != passkey.line:
        raise NotOnRecord(_NO_USE, _ANOTHER)
    return recorded


def enrol_invited(project: Project, who: str) -> tuple[passkeys.Passkey, Path]:
    """Add the passkey that an invited person made last to `whet.passkeys` in the checkout. Return it with the file.

    It counts once a quorum has signed the change. Refuse one that was enrolled before: it was revoked since.
    """
    made = [passkey for passkey in _made(project) if passkey.who == who]
    if not made:
        raise NotOnRecord(f"{who} has made no passkey with an invitation", f"whet approvers invite {who}")
    entry = project.ledger.find(_key(made[-1].link))
    if entry is None or entry.unedited().read(Invitation).invited != who:
        raise NotCounted(f"nobody has invited {who} to make this passkey", f"whet approvers invite {who}")
    invitation = entry.read(Invitation)
    roll = decisions.roll_of(project)
    inviter(invitation, roll.in_force(), roll.repository, made[-1].at)
    if made[-1].line in _ever_enrolled(project):
        raise Refused(f"the passkey of {who} was enrolled before", f"invite them again: whet approvers invite {who}")
    return passkeys.read(made[-1].line), enrol_passkey(project, made[-1].line)


def invitations(project: Project) -> tuple[InvitationState, ...]:
    """Return the invitations that are open, and those whose passkey waits for the approvers."""
    roll = decisions.roll_of(project)
    repository, approvers, enrolled = roll.repository, roll.on_branch(), _ever_enrolled(project)
    made = {passkey.link: passkey for passkey in _made(project)}
    states = []
    for entry in project.ledger.entries(kind="Invitation", subject=SUBJECT):
        invitation = entry.read(Invitation)
        passkey = made.get(invitation.link)
        if passkey and passkey.line in enrolled:
            continue
        try:
            by = inviter(invitation, approvers, repository, passkey.at if passkey else now())
        except WhetError:
            continue
        states.append(
            InvitationState(
                invited=invitation.invited, by=by.who, origin=invitation.origin, expires_at=invitation.expires_at,
                fingerprint=passkeys.read(passkey.line).fingerprint if passkey else "",
            )
        )  # fmt: skip
    return tuple(states)


def _inviter(project: Project, invitation: Invitation) -> Voter:
    roll = decisions.roll_of(project)
    in_force = roll.in_force()
    open_keys = exposed_keys(signers.parse(in_force.signers).keys())
    return inviter(invitation, in_force, roll.repository, now(), open_keys)


def _made(project: Project) -> list[InvitedPasskey]:
    return [entry.read(InvitedPasskey) for entry in project.ledger.entries(kind="InvitedPasskey", subject=SUBJECT)]


def _ever_enrolled(project: Project) -> set[str]:
    """Return the lines of all passkeys that counted at some time."""
    links = decisions.roll_of(project).chain().links
    return {passkey.text for link in links for passkey in passkeys.parse(link.approvers.passkeys)}


def _key(link: str) -> str:
    return f"{SUBJECT}/invitation/{link}"


def _used(link: str) -> str:
    return f"{_key(link)}/passkey"
