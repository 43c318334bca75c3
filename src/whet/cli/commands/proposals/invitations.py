"""`approvers invite` and `approvers passkey`: let a person make a passkey by a link, and add the passkey to the approvers."""

from functools import partial
from typing import Annotated

import typer

from whet.cli.commands.shared import As, Json, Key, Signature, StatementFile, Why, open_project_here, say_next_step

EXAMPLES = {
    "invite": "whet approvers invite alice@example.com",
    "passkey": "whet approvers passkey alice@example.com",
}


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


def passkey(
    line: Annotated[
        str, typer.Argument(metavar="NAME", help="The person you invited; or the line that their page shows.")
    ],
    as_json: Json = False,
) -> int:
    """Add an invited person's passkey to whet.passkeys in the checkout.

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
    return say_next_step(path, first=False, as_json=as_json)
