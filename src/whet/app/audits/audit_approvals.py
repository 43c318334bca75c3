"""The audit of approvals: every vote is verified again, with the public keys that are on record."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from whet.domain.acceptance import Acceptance
from whet.domain.approval import Answer, Approval, Gate, Question, Tier, Vote
from whet.domain.approvers import Approvers
from whet.domain.deployment import Deployment
from whet.domain.proof import Assurance, ForgeProof
from whet.domain.proposal import Proposal
from whet.domain.statement import AcceptanceStatement
from whet.errors import Corrupt, UsageError, WhetError
from whet.ledger.entry import Entry
from whet.ledger.invariants.history import History, Recorded, setting
from whet.phases.approve.counters import cloned
from whet.phases.approve.enrolments import chain
from whet.phases.approve.person import refuse_unproven, suppliers
from whet.phases.approve.quorum import count_signers
from whet.phases.approve.roll import Roll
from whet.phases.approve.rulings import refuse_unproven_ruling
from whet.phases.approve.votes import Ballot
from whet.signing import passkeys


class ApprovalAudit:
    """Verifies the approvals in a record, which somebody may have written from its first row on.

    For a change that was deployed, the commit before it says who could approve and at which tier: `roll` reads it there.
    """

    def __init__(self, entries: Sequence[Entry], record: History, roll: Roll) -> None:
        self._record, self._roll, self._repository = record, roll, roll.repository
        self._enrolments = [entry for entry in entries if entry.kind == "Enrolment"]
        self._votes = [entry for entry in entries if entry.kind == "Vote"]

    def problems(self) -> Iterator[str]:
        """Yield a sentence about every change of the approvers, every yes and every ruling of a person that is not proven."""
        try:
            enrolled = chain(self._enrolments, self._repository)
            yield from enrolled.problems
        except Corrupt as unreadable:
            yield f"the approvers on record cannot be read: {unreadable.message}"
            return
        for approved in self._granted():
            if flaw := self._flaw(approved):
                commits = ", ".join(f"commit {commit[:10]}" for commit in self._commits(approved.noun))
                yield f"row {approved.entry.seq}: {flaw}" + (f"; it was deployed as {commits}" if commits else "")
        known = {passkey for link in enrolled.links for passkey in passkeys.parse(link.approvers.passkeys)}
        yield from cloned(self._read_votes(), known)
        yield from self._unproven_rulings()
        yield from self._unproven_acceptances()

    def _read_votes(self) -> Iterator[tuple[int, Vote]]:
        """Yield (row, vote). A row that cannot be read proves no approval; the count of the votes in approvals shows that."""
        for entry in self._votes:
            with suppress(Corrupt):
                yield entry.seq, entry.read(Vote)

    def _unproven_rulings(self) -> Iterator[str]:
        """Yield a sentence about every decision of an undecided call whose author is not proven."""
        for decided in self._record.every(Approval):
            question, row = self._question(decided), decided.entry.seq
            if decided.noun.answer is not Answer.DECIDED:
                continue
            last = chain([entry for entry in self._enrolments if entry.seq < row], self._repository).last
            if question is None:
                yield f"row {row}: {decided.noun.who} decided a call of {decided.noun.proposal}, which had not asked"
            elif last:
                try:
                    refuse_unproven_ruling(decided.noun, question, last.approvers)
                except WhetError as problem:
                    yield f"row {row}: {problem.message}"

    def _unproven_acceptances(self) -> Iterator[str]:
        """Yield a sentence about every record that was accepted without the signatures of its approvers."""
        yield from self._record.broken(Acceptance)
        for accepted in self._record.every(Acceptance):
            entry, acceptance = accepted.entry, accepted.noun
            last = self._enrolled_before(entry.seq)
            if last is None:
                continue  # the notes show it as that of an unproven approver
            statement = partial(_acceptance_text, acceptance, self._repository)
            voters, absent = count_signers(acceptance.votes, last, (), acceptance.at, statement)
            followed = acceptance.record == f"{entry.seq - 1}:{entry.previous}"
            if absent or not followed or not set(voters) <= set(acceptance.voters):
                yield f"row {entry.seq}: {entry.actor} accepted the record without the signatures of its approvers"

    def _enrolled_before(self, row: int) -> Approvers | None:
        last = chain([entry for entry in self._enrolments if entry.seq < row], self._repository).last
        return last.approvers if last else None

    def unproven(self) -> Iterator[str]:
        """Yield the approvals that no signature proves: they came from a process of that user."""
        for approved in self._granted():
            approval = approved.noun
            if approval.approver == "person" and not any(voter.proven for voter in approval.voters):
                yield f"{approval.proposal} at the {approval.gate} gate, tier {approval.tier}: {approval.people}"

    def _granted(self) -> list[Recorded[Approval]]:
        return [approved for approved in self._record.every(Approval) if approved.noun.granted]

    def _flaw(self, approved: Recorded[Approval]) -> str:
        """Return why a yes is not proven; empty if it is."""
        approval, row = approved.noun, approved.entry.seq
        question = self._question(approved)
        if question is None:
            return f"{approval.who} approved {approval.proposal} at the {approval.gate} gate, which had not asked"
        if low := self._below_floor(question) or self._below_floor_of_branch(approval, question):
            return low
        if approval.approver != "person":
            return ""  # the invariants check what the policy may answer
        last = chain([entry for entry in self._enrolments if entry.seq < row], self._repository).last
        if other := self._other_signers(approval, last.approvers if last else None):
            return other
        if last is None:
            return self._beyond_a_word(approval, question)
        proposal = next(iter(self._record.earlier(Proposal, approved)), None)
        try:
            commit = next(iter(self._offered(approval)), "")
            refuse_unproven(
                approval, Ballot(question, last.approvers, suppliers(proposal), approval.decided_at, commit)
            )
        except WhetError as problem:
            return problem.message
        return ""

    def _offered(self, approval: Approval) -> list[str]:
        """Return the commits that whet made for the evidence of an approval, the first at the front."""
        deployments = [recorded.noun for recorded in self._record.of(Deployment, approval.proposal)]
        return [deployed.after for deployed in deployments if deployed.evidence_digest == approval.digest]

    def reviews(self) -> Iterator[str]:
        """Yield the approvals that rest on reviews on a forge. Whether the forge shows them, only the forge can say."""
        for approved in self._granted():
            for vote in approved.noun.votes:
                if isinstance(vote.proof, ForgeProof):
                    proof = vote.proof
                    yield (
                        f"{approved.noun.proposal} at the {approved.noun.gate} gate: review {proof.review} by {proof.login} "
                        f"on {proof.host} about {proof.commit[:10]}"
                    )

    def _question(self, approved: Recorded[Approval]) -> Question | None:
        about = (approved.noun.gate, approved.noun.digest)
        questions = self._record.earlier(Question, approved)
        return next((question for question in questions if (question.gate, question.digest) == about), None)

    def _below_floor(self, question: Question) -> str:
        """Return why a question asked for less than the policy's floor; empty if it did not.

        A question of an older whet names no policy.
        """
        policy = self._record.policy(question.policy)
        if question.policy and policy is None:
            return f"the policy under which {question.proposal} was approved is not on record"
        floor = setting(policy, "approve", question.gate.value)
        return _below(question, Tier(floor)) if floor in list(Tier) else ""

    def _below_floor_of_branch(self, approval: Approval, question: Question) -> str:
        """Return why a question asked for less than the policy that was on the branch, if approvers were enrolled there."""
        for before in self._bases(approval):
            try:
                policy = self._roll.policy_at(before) if self._roll.signers_at(before).entries else None
            except WhetError:
                continue  # settings of another version of whet; the policy on record was checked
            if policy and (low := _below(question, policy.approve.floor(question.gate))):
                return low
        return ""

    def _other_signers(self, approval: Approval, recorded: Approvers | None) -> str:
        """Return why the approvers on record are not those of the branch when a change was deployed; empty if they are."""
        for before in self._bases(approval):
            try:
                named = self._roll.signers_at(before)
            except WhetError as problem:
                return f"whet.signers at {before[:10]} cannot be read: {problem.message}"
            if named.canonical != (recorded.signers if recorded else ""):
                people = ", ".join(named.people()) or "nobody"
                return (
                    f"{approval.proposal} was approved by approvers whose keys are not those in whet.signers: "
                    f"{people} was enrolled on the branch at {before[:10]}"
                )
            if recorded and self._roll.passkeys_at(before) != recorded.passkeys:
                return f"{approval.proposal} was approved with passkeys that are not those in whet.passkeys at {before[:10]}"
        return ""

    def _beyond_a_word(self, approval: Approval, question: Question) -> str:
        """Return why a yes without any enrolled signer does not suffice; empty if it does.

        A policy of an older whet has no `approve.proof`; its approvals are only listed as unproven.
        """
        policy = self._record.policy(question.policy)
        needed = setting(policy, "approve", "proof", approval.tier.value)
        if needed in (None, Assurance.OS.value) or setting(policy, "environment") == "development":
            return ""
        return f"{approval.who} approved {approval.proposal} at tier {approval.tier} without a signature"

    def _commits(self, approval: Approval) -> list[str]:
        """Return the deploy commits that an approval permitted. At the merge gate the proposal's own branch is there already."""
        if approval.gate is Gate.PLAN:
            return []
        deployments = [recorded.noun for recorded in self._record.of(Deployment, approval.proposal)]
        if approval.gate is Gate.MERGE:
            deployments = [deployment for deployment in deployments if deployment.strategy != "branch"]
        return [deployment.after for deployment in deployments if deployment.evidence_digest == approval.digest]

    def _bases(self, approval: Approval) -> Iterator[str]:
        """Yield the parents of the deploy commits, by git. The audit of the commits reports those that are gone."""
        for commit in dict.fromkeys(self._commits(approval)):
            with suppress(UsageError):
                yield self._roll.parent(commit)


def _acceptance_text(acceptance: Acceptance, repository: str, who: str, why: str) -> str:
    return AcceptanceStatement.about(acceptance, repository, who, why).text


def _below(question: Question, floor: Tier) -> str:
    if question.tier.rank >= floor.rank:
        return ""
    return f"{question.proposal} was asked at tier {question.tier}, and the policy asks for {floor} at the {question.gate} gate"


def unsigned_change(roll: Roll) -> Iterator[str]:
    """Yield a sentence if the approvers on the target branch are not those that the ledger's chain ends with."""
    try:
        last = roll.chain().last
        on_branch = roll.on_branch()
    except WhetError as problem:
        yield f"the approvers on the target branch cannot be read: {problem.message}"
        return
    if last and on_branch.digest != last.approvers.digest:
        yield "the approvers on the target branch are not the ones on record, and no quorum has signed the change"
