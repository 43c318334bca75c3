"""`whet withdraw`: withdraw an approval."""

from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json, ProposalId, Why, find_proposal, repository_of

if TYPE_CHECKING:
    from whet.app.project import Project


def withdraw(proposal: ProposalId, why: Why = "", as_json: Json = False) -> int:
    """Withdraw an approval that has not been acted on yet."""
    from whet.cli.output import emit, say

    project, view = find_proposal(proposal)
    approval = repository_of(project).withdraw(view.proposal.id, why)
    _continue_if_free(project, view.proposal.id)
    if as_json:
        emit(approval)
    else:
        say(f"withdrawn: the {approval.gate.value} gate of {approval.proposal}")
    return 0


def _continue_if_free(project: "Project", proposal: str) -> None:
    """Resume the proposal, so that it ends; do nothing if another whet process is running, which will end it."""
    from whet.app.cycles.loop import running
    from whet.errors import AlreadyRunning

    try:
        with running(project) as loop:
            loop.wait_for(proposal)
    except AlreadyRunning:
        return
