"""Reviews on a forge as votes at the merge gate: who may count, for which commit, and that the forge still shows them."""

from collections.abc import Iterable, Iterator

from whet.domain.approval import Answer, Question, Vote
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.deployment import Deployment
from whet.domain.proof import ForgeProof
from whet.domain.pull_request import ForgeReview, PullRequest
from whet.domain.statement import ApprovalStatement
from whet.errors import UnprovenApproval
from whet.forge import Forge
from whet.ledger.ledger import Ledger


def offered_commit(ledger: Ledger, question: Question) -> str:
    """Return the commit that whet made for the evidence of a question; empty while there is none.

    A review counts only if it is about this commit.
    """
    entries = ledger.entries(kind="Deployment", subject=question.proposal)
    made = [entry.unedited().read(Deployment) for entry in entries]
    return next((deployed.after for deployed in made if deployed.evidence_digest == question.digest), "")


def votes_of(
    reviews: Iterable[ForgeReview], request: PullRequest, question: Question, approvers: Approvers, bot: str
) -> Iterator[Vote]:
    """Yield the votes of people whose login the policy maps to a name. whet's own account is left out."""
    people = dict(approvers.rules.forge_logins)
    own = {bot.casefold(), request.author.casefold()}
    for review in reviews:
        who = people.get(review.login.casefold())
        if who is None or not review.approved or review.login.casefold() in own:
            continue
        why = f"review {review.id} of {request.url}"
        text = ApprovalStatement.about(question, approvers.digest, Answer.APPROVED, who, why).text
        proof = ForgeProof(host=request.host, review=review.id, commit=review.commit, login=review.login)
        yield Vote(statement=text, proof=proof, via=request.url, at=now())


def refuse_vanished(votes: Iterable[Vote], request: PullRequest | None, forge: Forge) -> None:
    """Raise UnprovenApproval if the forge does not show a review that was counted, or it is of whet's own account."""
    proofs = [vote.proof for vote in votes if isinstance(vote.proof, ForgeProof)]
    if not proofs:
        return
    if request is None:
        raise UnprovenApproval("a review was counted, and there is no pull request")
    own = {forge.login().casefold(), request.author.casefold()}
    shown = {
        (request.host, review.id, review.commit, review.login)
        for review in forge.reviews(request.number)
        if review.approved and review.login.casefold() not in own
    }
    for proof in proofs:
        if (proof.host, proof.review, proof.commit, proof.login) not in shown:
            raise UnprovenApproval(
                f"the review {proof.review} by {proof.login} was counted, and {request.url} does not show it now"
            )
