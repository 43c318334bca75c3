"""`whet show`: everything on record about a proposal."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, ProposalId, find_proposal


def show(
    proposal: ProposalId,
    everything: Annotated[bool, typer.Option("--all", help="Show everything on record.")] = False,
    as_json: Json = False,
) -> int:
    """Show a proposal: the patch, its proof, what is open.

    --all shows everything on record: diagnosis, every check and safeguard, answers, deployments.
    """
    from whet.app.proposal_report import brief, full
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.cli.views.gate import proposal_screen
    from whet.cli.views.proposal import proposal_details

    _, view = find_proposal(proposal)
    if as_json:
        emit({**brief(view), **full(view)})
    else:
        screen.console().print(proposal_details(view) if everything else proposal_screen(view))
    return 0
