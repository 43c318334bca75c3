"""The list of the people who may approve, with the state of their keys."""

from dataclasses import dataclass

from whet.app.approvals import decisions
from whet.app.approvals.invitations import InvitationState, invitations
from whet.app.project import Project
from whet.domain.approvers import Approvers, Seats
from whet.domain.clock import now
from whet.errors import Refused
from whet.phases.approve.enrolments import count_change
from whet.phases.approve.exposure import exposed_keys
from whet.signing import passkeys, signers, sshsig


@dataclass(frozen=True, kw_only=True)
class EnrolledKey:
    """A line of `whet.signers`, for a list. `exposed` means that any program of this user can sign with the key now;
    `approves` is false for a key that signs attestations alone."""

    who: str
    roles: tuple[str, ...]
    key: str
    type: str
    valid: bool
    exposed: bool
    approves: bool


@dataclass(frozen=True, kw_only=True)
class ApproversView:
    """The approvers of a repository, the change that waits for signatures, if there is one, and the invitations that are
    open or whose passkey waits."""

    keys: tuple[EnrolledKey, ...]
    digest: str
    changes: int
    problem: str
    pending: str
    missing: tuple[Seats, ...]
    invitations: tuple[InvitationState, ...]


def view(project: Project) -> ApproversView:
    """Return the approvers on the target branch. Record them, if these are the first."""
    roll = decisions.roll_of(project)
    problem = ""
    try:
        listed = roll.in_force()
    except Refused as refusal:
        problem, listed = refusal.message, roll.on_branch()
    change = roll.pending()
    missing = count_change(change, roll.votes(change), now())[1] if change else ()
    return ApproversView(
        keys=tuple(_keys(listed)), digest=listed.digest, changes=len(roll.chain().links), problem=problem,
        pending=change.summary if change else "", missing=missing,
        invitations=invitations(project),
    )  # fmt: skip


def _keys(approvers_in_force: Approvers) -> list[EnrolledKey]:
    listed = signers.parse(approvers_in_force.signers)
    open_keys = exposed_keys(listed.keys())
    return [
        EnrolledKey(
            who=name,
            roles=tuple(role for role, people in approvers_in_force.rules.roles.items() if name in people),
            key=signer.key.fingerprint,
            type=signer.key.type,
            valid=signer.signs_in(
                sshsig.APPROVAL_NAMESPACE if signer.allows(sshsig.APPROVAL_NAMESPACE) else sshsig.ATTESTATION_NAMESPACE,
                now(),
            ),
            exposed=signer.allows(sshsig.APPROVAL_NAMESPACE) and signer.key.fingerprint in open_keys,
            approves=signer.allows(sshsig.APPROVAL_NAMESPACE),
        )
        for _, signer in listed.entries
        for name in signer.names
    ] + [_passkey_row(approvers_in_force, passkey) for passkey in passkeys.parse(approvers_in_force.passkeys)]


def _passkey_row(approvers_in_force: Approvers, passkey: passkeys.Passkey) -> EnrolledKey:
    roles = tuple(role for role, people in approvers_in_force.rules.roles.items() if passkey.who in people)
    return EnrolledKey(
        who=passkey.who, roles=roles, key=passkey.fingerprint, type=f"passkey at {passkey.origin}", valid=True,
        exposed=False, approves=True,
    )  # fmt: skip
