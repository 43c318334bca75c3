"""`whet reject`: say no at the open gate of a proposal."""

from whet.cli.commands.shared import Json, ProposalId, Why


def reject(proposal: ProposalId, why: Why, as_json: Json = False) -> int:
    """Say no at the open gate; the patch is not proposed again."""
    from whet.app.approvals.decisions import GivenAnswer, answer
    from whet.cli.commands.shared import find_proposal
    from whet.cli.follow import follow_answer
    from whet.domain.approval import Answer
    from whet.errors import UsageError

    if not why.strip():
        raise UsageError("say why not: the reason is remembered", f'whet reject {proposal} --why "..."')
    project, view = find_proposal(proposal)
    receipt = answer(project, view.proposal.id, Answer.REJECTED, GivenAnswer(via="cli", why=why))
    return follow_answer(project, view.proposal.id, receipt, as_json=as_json)
