"""`whet approve`: say yes at the open gate of a proposal."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import As, Json, Key, ProposalId, Signature, StatementFile, Why


def approve(
    proposal: ProposalId,
    why: Why = "",
    key: Key = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Say yes without a signature and without being asked (tier confirm).")
    ] = False,
    statement: StatementFile = None,
    signature: Signature = None,
    who: As = "",
    digest: Annotated[
        str, typer.Option("--digest", help="Refuse if the evidence no longer has a digest that begins so.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Say yes at the open gate of a proposal, and continue with it.

    The statement that is printed is what you sign. To sign on another machine, write it with --statement FILE, sign it
    there (ssh-keygen -Y sign -n whet-approval@v1 -f KEY FILE), and bring it back with --signature FILE.sig.
    """
    from whet.cli.ask import AnswerOptions, take_yes
    from whet.cli.commands.shared import find_proposal
    from whet.cli.follow import follow_answer
    from whet.cli.output import say

    project, view = find_proposal(proposal)
    if view.undecided and not (why or statement or signature):
        from whet.cli.ask import is_interactive
        from whet.cli.follow import follow_question, undecided_first

        if not is_interactive() or as_json or yes:
            raise undecided_first(view)
        return follow_question(project, view)
    options = AnswerOptions(why=why, who=who, key=key, yes=yes, digest=digest, quiet=as_json)
    if statement and not signature:
        from whet.cli.ask import write_statement

        write_statement(project, view.proposal.id, statement, options)
        if str(statement) != "-" and not as_json:
            say(f"wrote {statement}; sign it: ssh-keygen -Y sign -n whet-approval@v1 -f KEY {statement}")
        return 0
    receipt = take_yes(project, view.proposal.id, options, _pair(statement, signature))
    return follow_answer(project, view.proposal.id, receipt, as_json=as_json)


def _pair(statement: Path | None, signature: Path | None) -> tuple[Path, Path] | None:
    if signature is None:
        return None
    return statement or signature.with_suffix(""), signature
