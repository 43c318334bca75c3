"""The approver for people. Any client records people's votes in the ledger; the gate counts them again by itself."""

from dataclasses import replace

from whet.domain.approval import Answer, Approval, Question
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.finding import FindingKind
from whet.domain.proof import ForgeProof
from whet.domain.proposal import Proposal
from whet.domain.pull_request import PullRequest
from whet.domain.suggestion import Suggestion
from whet.errors import Refused, UnprovenApproval
from whet.kit import Kit
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.reviews import offered_commit, refuse_vanished
from whet.phases.approve.roll import Roll
from whet.phases.approve.rulings import refuse_unproven_ruling
from whet.phases.approve.votes import Ballot, Tally, is_before
from whet.signing import signers
from whet.store.codec import decode

KEY = "approval/{proposal}/{gate}/{digest}"
_SHORTEST_DIGEST = 8


class Person:
    """An approver that reads decisions of people from the ledger, and believes only what their votes prove."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._ledger = kit, kit.ledger

    def answer(self, question: Question) -> Approval | None:
        """Return the recorded decision. Raise UnprovenApproval for a yes or a ruling that is not proven, DamagedLedger if
        its entry was edited."""
        entry = self._ledger.find(decision_key(question))
        if entry is None:
            return None
        approval = entry.unedited().read(Approval)
        if approval.approver == "forge":
            return None  # `OnForge` verifies it
        if approval.granted or approval.answer is Answer.DECIDED:
            in_force = Roll(self._kit.git, self._ledger, self._kit.policy).in_force()
            commit = offered_commit(self._ledger, question)
            ballots = ballot(question, self._proposal(question), in_force, commit)
            if approval.granted:
                refuse_unproven(approval, ballots)
                self._refuse_vanished_reviews(approval)
            else:
                refuse_unproven_ruling(approval, ballots.question, in_force)
        return approval

    def _refuse_vanished_reviews(self, approval: Approval) -> None:
        """Ask the forge whether it shows the reviews that were counted: the record alone does not prove them."""
        if any(isinstance(vote.proof, ForgeProof) for vote in approval.votes):
            opened = self._ledger.latest("PullRequest", subject=approval.proposal)
            refuse_vanished(approval.votes, opened.read(PullRequest) if opened else None, self._kit.forge())

    def _proposal(self, question: Question) -> Proposal | None:
        entry = self._ledger.find(f"{question.proposal}/proposal")
        return entry.unedited().read(Proposal) if entry else None


def ballot(question: Question, proposal: Proposal | None, approvers: Approvers, commit: str = "") -> Ballot:
    """Return the ballot of an open question; `commit` is the one that reviews on a forge must be about.

    A key does not count if it is exposed now, or was exposed when the question was asked.
    """
    exposed = exposed_keys(signers.parse(approvers.signers).keys())
    asked = replace(question, exposed=(*question.exposed, *exposed))
    return Ballot(asked, approvers, suppliers(proposal), now(), commit)


def suppliers(proposal: Proposal | None) -> frozenset[str]:
    """Return the names of those who supplied the suggestion that a proposal is made from, in lower case."""
    finding = proposal.diagnosis.finding if proposal else None
    if finding is None or finding.kind != FindingKind.SUGGESTED:
        return frozenset()
    suggestions = [decode(Suggestion, signal.payload) for signal in finding.signals]
    names = [name for suggestion in suggestions for name in (suggestion.by, suggestion.email)]
    return frozenset(name.casefold() for name in names if name)


def refuse_unproven(approval: Approval, ballot: Ballot) -> None:
    """Raise UnprovenApproval unless the votes in a recorded yes prove it: for this question, by a full quorum."""
    question, name = ballot.question, f"the approval of {approval.proposal} at the {approval.gate} gate"
    expected = (question.proposal, question.gate, question.tier, question.digest)
    if (approval.proposal, approval.gate, approval.tier, approval.digest) != expected or approval.approver != "person":
        raise UnprovenApproval(f"{name} is not an answer to the open question", _AGAIN)
    if approval.decided_at >= question.expires_at:
        raise UnprovenApproval(f"{name} is later than the end of its question", _AGAIN)
    if is_before(approval.decided_at, question.asked_at):
        raise UnprovenApproval(f"{name} is earlier than its question", _AGAIN)
    tally = ballot.count(approval.votes)
    if not tally.complete or tally.voters != approval.voters:
        reasons = "; ".join(tally.ignored) or "nobody voted"
        raise UnprovenApproval(f"{name} is not proven: {reasons}", _AGAIN)


_AGAIN = "`whet audit` shows what is on record; start again with `whet run`"


def decision_key(question: Question) -> str:
    """Return the ledger key of the decision on a question."""
    return KEY.format(proposal=question.proposal, gate=question.gate.value, digest=question.digest)


def refuse_closed(question: Question, shown: str) -> None:
    """Refuse an answer after the deadline, or for another digest. `shown` is the beginning of the digest that the person
    saw, if they name it."""
    if now() >= question.expires_at:
        raise Refused(
            f"the {question.gate} gate of {question.proposal} closed at {question.expires_at:%Y-%m-%d %H:%M} UTC"
        )
    if shown and not (len(shown) >= _SHORTEST_DIGEST and question.digest.startswith(shown)):
        raise Refused(f"{shown} is not the digest of the open question", f"look again: `whet show {question.proposal}`")


def grant(question: Question, tally: Tally, *, override: bool) -> Approval:
    """Return the yes of a full quorum."""
    if not tally.complete:
        raise Refused(f"votes are missing: {', '.join(map(str, tally.missing))}")
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=Answer.APPROVED,
        approver="person",
        who=", ".join(voter.who for voter in tally.voters),
        via=", ".join(dict.fromkeys(vote.via for vote in tally.votes)),
        digest=question.digest,
        decided_at=now(),
        why="; ".join(filter(None, tally.reasons)),
        override=override,
        votes=tally.votes,
        voters=tally.voters,
    )


def refuse(question: Question, answer: Answer, *, who: str, via: str, why: str) -> Approval:
    """Return a person's no or withdrawal. It needs no signature: a no deploys nothing."""
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=answer,
        approver="person",
        who=who,
        via=via,
        digest=question.digest,
        decided_at=now(),
        why=why,
    )
