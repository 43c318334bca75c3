"""The approver for the merge gate of a pull request: people answer it on the forge, by merging or closing."""

from whet.domain.approval import Answer, Approval, Gate, Question
from whet.domain.clock import now
from whet.domain.pull_request import PullRequest, RequestState
from whet.errors import UnprovenApproval
from whet.kit import Kit
from whet.phases.approve.person import decision_key


class OnForge:
    """An approver that reads the recorded fate of a pull request, and believes a merge only if the forge shows it."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._ledger = kit, kit.ledger

    def answer(self, question: Question) -> Approval | None:
        entry = self._ledger.find(decision_key(question))
        approval = entry.unedited().read(Approval) if entry else None
        if approval is None or approval.approver != "forge":
            return None
        if approval.granted:
            self._refuse_unless_merged(question)
        return approval

    def _refuse_unless_merged(self, question: Question) -> None:
        opened = self._ledger.latest("PullRequest", subject=question.proposal)
        number = opened.unedited().read(PullRequest).number if opened else 0
        if question.gate is not Gate.MERGE or not number:
            raise UnprovenApproval(f"{question.proposal} has no pull request that a forge could have merged")
        forge = self._kit.forge()
        request = forge.look(number)
        if merged_by_whet(request, forge.login()):
            raise UnprovenApproval(
                f"{request.url} was merged by whet's own account on {request.host}, and that is nobody's yes"
            )
        if request.state is not RequestState.MERGED:
            raise UnprovenApproval(f"the record says that {request.url} was merged, and the forge says {request.state}")


def merged_by_whet(request: PullRequest, login: str) -> bool:
    """True if the account of whet's token merged it. Everything that can use the token can do that: it proves no person.

    A token without an account (of an app, or of Actions) has opened the pull request as its author.
    """
    own = login or request.author
    return request.state is RequestState.MERGED and bool(own) and request.merged_by.lower() == own.lower()


def answer_of(question: Question, request: PullRequest, login: str) -> Approval | None:
    """Return the answer that the state of a pull request gives; None while it is open.

    `login` is the account of whet's token, whose merge is no answer.
    """
    if request.state is RequestState.OPEN or merged_by_whet(request, login):
        return None
    merged = request.state is RequestState.MERGED
    done = f"merged as {request.merge_commit[:10]}" if merged else "closed without a merge"
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=Answer.APPROVED if merged else Answer.REJECTED,
        approver="forge",
        who=f"{request.merged_by or 'somebody'} on {request.host}",
        via=request.url,
        digest=question.digest,
        decided_at=now(),
        why=f"{request.url} was {done}",
    )
