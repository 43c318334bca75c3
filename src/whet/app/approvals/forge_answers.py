"""Look at the pull requests that wait, and record the answers that people gave on the forge."""

from collections.abc import Iterable

from whet.app.approvals.decisions import count_in, passed, record, roll_of
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView, open_proposals, view_proposal
from whet.domain.approval import Question
from whet.domain.pull_request import PullRequest, RequestState
from whet.domain.redact import redact
from whet.errors import ForgeRefused, ForgeUnavailable, Internal, NotCounted
from whet.forge import Forge
from whet.phases.approve.on_forge import answer_of, merged_by_whet
from whet.phases.approve.person import grant
from whet.phases.approve.reviews import votes_of
from whet.phases.approve.votes import Tally
from whet.phases.deploy.pull_request import ByPullRequest


def take_answers(project: Project, proposals: Iterable[str] | None = None) -> list[str]:
    """Record every answer that the forge has for an open merge gate, and return the proposals that got one.

    Only `proposals` are looked at, or all that are open.

    A forge that cannot be asked now is a note: everything else goes on, and the next look asks again.
    """
    answered: list[str] = []
    try:
        for view in (view_proposal(project.ledger, each) for each in proposals or open_proposals(project.ledger)):
            if view.waits_on_forge and _take(project, view):
                answered.append(view.proposal.id)
    except (ForgeUnavailable, ForgeRefused) as problem:
        project.progress.note(f"pull requests were not looked at: {problem.message}")
    return answered


def _take(project: Project, view: ProposalView) -> bool:
    """Record the answer to the merge gate: the reviews, if they are the quorum of its tier, else the merge itself.

    While the pull request is open, a quorum decides only where whet merges it.
    """
    question, opened = view.open_question, view.request
    if question is None or opened is None:
        return False
    forge = project.kit.forge()
    request = forge.look(opened.number)
    if request.state is RequestState.OPEN:
        _target(project).tell_objections(view.proposal.id, request)
    tally = (
        _count_reviews(project, view, question, request, forge) if request.state is not RequestState.CLOSED else None
    )
    whet_merges = project.policy.forge.merge == "whet"
    if tally and tally.complete and (whet_merges or request.state is RequestState.MERGED):
        record(project, question, grant(question, tally, override=not passed(view)))
        return True
    login = forge.login()
    if merged_by_whet(request, login):
        project.progress.warn(
            f"{request.url} was merged by whet's own account, which is nobody's yes: `whet approve {view.proposal.id}` "
            "if it may stay, else revert it there"
        )
    if answer := answer_of(question, request, login):
        record(project, question, answer)
    return answer is not None


def _count_reviews(
    project: Project, view: ProposalView, question: Question, request: PullRequest, forge: Forge
) -> Tally | None:
    """Record the votes of reviews that count, and return the count of all votes so far; None without a vote."""
    in_force = roll_of(project).in_force()
    if not in_force.rules.forge_logins:
        return None
    tally = None
    for vote in votes_of(forge.reviews(request.number), request, question, in_force, forge.login()):
        try:
            _, tally = count_in(project, view, question, in_force, vote)
        except NotCounted as reason:
            project.progress.note(f"a review of {request.url} does not count: {reason.message}")
    return tally


def close_request(project: Project, request: PullRequest, why: str) -> None:
    """Close a pull request and remove its branch on the forge."""
    _target(project).close(request, redact(why))


def _target(project: Project) -> ByPullRequest:
    target = project.targets["pr"]
    if not isinstance(target, ByPullRequest):
        raise Internal("another package has replaced the target `pr`", "uninstall it, or give its target another name")
    return target
