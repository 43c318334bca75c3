"""`approvers`: the people whose signatures count as approvals."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import As, Json, Key, Signature, StatementFile, Why, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.approvals.approvers_view import ApproversView, EnrolledKey
    from whet.app.approvals.invitations import InvitationState
    from whet.domain.approval import Voter
    from whet.domain.approvers import Seats

EXAMPLES = {
    "list": "whet approvers",
    "key": "whet approvers key",
    "enrol": "whet approvers enrol alice@example.com ~/.ssh/whet_approval.pub",
    "invite": "whet approvers invite alice@example.com",
    "passkey": "whet approvers passkey alice@example.com",
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


@group.command(epilog=f"Example: {EXAMPLES['key']}")
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


@group.command(epilog=f"Example: {EXAMPLES['enrol']}")
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
    return _say_next(path, first=app.nobody_enrolled(project), as_json=as_json)


@group.command(epilog=f"Example: {EXAMPLES['revoke']}")
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
    return _say_next(path, first=app.nobody_enrolled(project), as_json=as_json)


@group.command(epilog=f"Example: {EXAMPLES['invite']}")
def invite(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The person to invite, usually by mail address.")] = "",
    address: Annotated[
        str, typer.Option("--at", metavar="URL", help="The address of the pages, at which the passkey will answer.")
    ] = "http://localhost:8787",
    hours: Annotated[int, typer.Option("--hours", metavar="N", help="How long the link works.")] = 48,
    why: Why = "",
    key: Key = None,
    statement: StatementFile = None,
    signature: Signature = None,
    who: As = "",
    as_json: Json = False,
) -> int:
    """Invite a person to make a passkey, by a link that works once.

    You sign the invitation. It enrols nobody: the passkey counts once the approvers have signed it too.
    """
    from whet.app.approvals import invitations as app
    from whet.app.approvals.approvers import default_key
    from whet.cli.ask import read_text, show_statement, write_text
    from whet.cli.output import emit, note, say
    from whet.errors import UsageError

    project = open_project_here(as_json=as_json)
    if signature:
        voter = app.record_invitation(project, read_text(statement or signature.with_suffix("")), read_text(signature))
        emit({"signed_by": voter}) if as_json else say(f"signed by {voter}; the link works now")
        return 0
    if not name:
        raise UsageError("whom do you invite?", EXAMPLES["invite"])
    terms = app.InvitationTerms(invited=name, address=address, hours=hours, why=why)
    if statement:
        invitation = app.write_invitation(project, terms, who)
        write_text(statement, invitation.statement)
        link = invitation.link
    else:
        show = partial(show_statement, on_error_output=as_json)
        voter, link = app.sign_invitation(project, terms, key or default_key(), who=who, show=show)
    if as_json:
        emit({"link": link, "signed": statement is None})
        return 0
    say(link)
    note(
        f"give this link to {name}: it works once, for {hours} hours" + (", after you have signed" if statement else "")
    )
    return 0


@group.command(epilog=f"Example: {EXAMPLES['passkey']}")
def passkey(
    line: Annotated[
        str, typer.Argument(metavar="NAME", help="The person you invited; or the line that their page shows.")
    ],
    as_json: Json = False,
) -> int:
    """Add the passkey that an invited person made to whet.passkeys in the checkout.

    Compare its fingerprint with them. It counts when an approver has signed the change and it is on the target branch.
    """
    from whet.app.approvals.approvers import enrol_passkey
    from whet.app.approvals.invitations import enrol_invited
    from whet.cli.output import note

    project = open_project_here(as_json=as_json)
    if " " in line.strip():
        path = enrol_passkey(project, line)
    else:
        made, path = enrol_invited(project, line.strip())
        note(f"compare with {made.who} before you sign: {made.fingerprint}, at {made.origin}")
    return _say_next(path, first=False, as_json=as_json)


def _say_next(path: Path, *, first: bool, as_json: bool) -> int:
    from whet.cli.output import emit, say

    next_ = "commit it to the target branch" if first else "whet approvers sign, then commit it to the target branch"
    emit({"path": str(path), "signatures_needed": not first}) if as_json else say(f"wrote {path}", f"next: {next_}")
    return 0


@group.command(epilog=f"Example: {EXAMPLES['sign']}")
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
