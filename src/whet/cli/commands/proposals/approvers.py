"""`approvers`: the people whose signatures count as approvals."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.proposals import invitations
from whet.cli.commands.proposals.invitations import invite, passkey
from whet.cli.commands.shared import (
    As,
    Json,
    Key,
    Signature,
    StatementFile,
    Why,
    open_project_here,
    repository_of,
    say_next_step,
)

if TYPE_CHECKING:
    from whet.app.approvals.approvers_view import ApproversView, EnrolledKey
    from whet.app.approvals.invitations import InvitationState
    from whet.domain.approval import Voter
    from whet.domain.approvers import Seats

EXAMPLES = {
    "list": "whet approvers",
    "key": "whet approvers key",
    "enrol": "whet approvers enrol alice@example.com ~/.ssh/whet_approval.pub",
    **invitations.EXAMPLES,
    "revoke": "whet approvers revoke bob@example.com",
    "sign": 'whet approvers sign --why "bob joined the team"',
}
group = typer.Typer(
    name="approvers",
    invoke_without_command=True,
    rich_markup_mode=None,
    help="List, enrol and revoke the people whose signatures count.",
    epilog=f"Example: {EXAMPLES['list']}",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The person, usually by mail address.")]


@group.callback()
def approvers(context: typer.Context, as_json: Json = False) -> int:
    """List, enrol and revoke the people whose signatures count.

    They are the lines of whet.signers on the target branch. The first enrolment is trusted; every later change needs the
    signatures of the approvers before it.
    """
    if context.invoked_subcommand:
        return 0
    from whet.cli.output import emit, say

    listed = repository_of(open_project_here(as_json=as_json)).approvers()
    emit(listed) if as_json else say(*_lines(listed))
    return 3 if listed.problem else 0


def _lines(listed: "ApproversView") -> list[str]:
    rows = [_row(key) for key in listed.keys]
    if not any(key.approves for key in listed.keys):
        rows += [
            "nobody is enrolled: a yes is recorded as that of an unproven approver, and in production the tiers",
            "approve and require refuse it",
            "  whet approvers key; whet approvers enrol NAME KEY.pub; then commit whet.signers",
        ]
    rows += [_invitation_row(invitation) for invitation in listed.invitations]
    if listed.problem:
        rows += [f"nothing can be approved now: {listed.problem}", "  whet approvers sign"]
    return rows


def _row(key: "EnrolledKey") -> str:
    kind = (
        key.type if key.type.startswith("passkey") else "security key" if key.type.startswith("sk-") else "software key"
    )
    if not key.approves:
        return ", ".join([f"{key.who}  {key.key}  {kind}", "attestations only"])
    marks = [*(() if key.valid else ("not valid now",)), *(("EXPOSED: does not count",) if key.exposed else ())]
    return ", ".join([f"{key.who}  {key.key}  {kind}", *key.roles, *marks])


def _invitation_row(invitation: "InvitationState") -> str:
    if invitation.fingerprint:
        row = f"{invitation.invited}  {invitation.fingerprint}  passkey at {invitation.origin}, invited by {invitation.by}"
        return f"{row}: waits for you\n  whet approvers passkey {invitation.invited}"
    return f"{invitation.invited}  invited by {invitation.by} until {invitation.expires_at:%Y-%m-%d %H:%M} UTC"


def key(
    path: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The new private key; default ~/.ssh/whet_approval.")
    ] = None,
) -> int:
    """Make a key for approvals. ssh-keygen asks for its passphrase, which it must have.

    Never load it into an ssh-agent: a loaded key signs for every program of yours, so it does not count.
    """
    from whet.app.approvals.approvers import create_key, default_key
    from whet.cli.output import say

    file = path or default_key()
    made = create_key(file, "whet approvals")
    say(f"made {file} ({made.fingerprint})", f"next: whet approvers enrol YOUR-ADDRESS {file}.pub")
    return 0


def enrol(
    name: Name,
    public_key: Annotated[Path, typer.Argument(metavar="KEY.pub", help="Their public key.")],
    attestations_only: Annotated[
        bool,
        typer.Option("--attestations-only", help="The key signs attestations and approves nothing: a key of CI."),
    ] = False,
    as_json: Json = False,
) -> int:
    """Add a person's key to whet.signers in the checkout. It counts when it is on the target branch.

    The key may sign approvals, and attestations of proofs (whet prove --attest FILE --sign KEY).
    """
    from whet.app.approvals import approvers as app
    from whet.cli.output import note
    from whet.domain.approval import Tier

    project = open_project_here(as_json=as_json)
    path = app.enrol(project, name, public_key, attestations_only=attestations_only)
    if not as_json and not attestations_only and project.policy.approve.apply.rank < Tier.APPROVE.rank:
        note('tier confirm takes a yes without a signature: set apply = "approve" in [approve] of whet.toml')
    return say_next_step(path, first=app.nobody_enrolled(project), as_json=as_json)


def revoke(
    name: Name,
    fingerprint: Annotated[
        str, typer.Option("--fingerprint", metavar="SHA256:...", help="Remove only this key of theirs.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Remove a person, or one of their keys, from whet.signers.

    Edits the file in the checkout; the change counts when it is committed.
    """
    from whet.app.approvals import approvers as app

    project = open_project_here(as_json=as_json)
    path = app.revoke(project, name, fingerprint)
    return say_next_step(path, first=app.nobody_enrolled(project), as_json=as_json)


def sign(
    why: Why = "",
    key: Key = None,
    statement: StatementFile = None,
    signature: Signature = None,
    who: As = "",
    as_json: Json = False,
) -> int:
    """Sign a change of the approvers that waits for signatures.

    That is a change of whet.signers, or of the approval and guard settings in whet.toml.
    """
    from whet.app.approvals import approvers as app
    from whet.cli.ask import read_text, show_statement, write_text
    from whet.domain.redact import redact

    project = open_project_here(as_json=as_json)
    if signature:
        text = read_text(statement or signature.with_suffix(""))
        return _say_signed(*app.record_vote(project, text, read_text(signature)), as_json=as_json)
    if statement:
        change = app.require_change(project)
        write_text(statement, change.statement(who or app.only_person(change.last.approvers), redact(why)))
        return 0
    file, show = key or app.default_key(), partial(show_statement, on_error_output=as_json)
    return _say_signed(*app.sign_change(project, file, why=why, who=who, show=show), as_json=as_json)


def _say_signed(voter: "Voter", missing: "tuple[Seats, ...]", *, as_json: bool) -> int:
    from whet.cli.output import emit, say

    if as_json:
        emit({"signed_by": voter, "missing": missing})
    elif missing:
        say(f"signed by {voter}; still needed: {', '.join(map(str, missing))}")
    else:
        say(f"signed by {voter}; the change counts when it is on the target branch")
    return 5 if missing else 0


for _command in (key, enrol, revoke, invite, passkey, sign):
    group.command(epilog=f"Example: {EXAMPLES[_command.__name__]}")(_command)
