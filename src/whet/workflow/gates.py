"""The gates of `carry`: ask a question, and wait until it is answered."""

from functools import partial

from whet.domain.approval import Approval, Gate, Question
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.errors import ApproversChanged, ForgeRefused, ForgeUnavailable
from whet.guard.tier import tier
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.person import decision_key
from whet.phases.approve.roll import Roll
from whet.phases.approve.step import QuestionSubject, answer, ask, wait_for
from whet.signing import signers
from whet.workflow.journal import Step
from whet.workflow.proven import question_step, review_of
from whet.workflow.steps import Steps

_PARKING = (ApproversChanged, ForgeUnavailable, ForgeRefused)


class Gates(Steps):
    def gate(self, gate: Gate, proposal: Proposal, evidence: Evidence | None = None) -> Approval:
        """Record the question of this gate and wait until it is answered or expires.

        The answer is valid only for one digest: that of the evidence, or of the plan if there is no evidence yet.
        """
        digest = evidence.digest if evidence else proposal.digest
        name = f"{gate.value}-{digest[:12]}"
        step = Step("approve", question_step(gate, digest), proposal.id, Question, parks_on=(ApproversChanged,))
        question = self._do(step, partial(self._question, gate, proposal, evidence, digest))
        return wait_for(question, self._journal.durable.receive, partial(self._look, question, name))

    def _question(self, gate: Gate, proposal: Proposal, evidence: Evidence | None, digest: str) -> Question:
        """Ask at the tier that the facts demand. Refuse if the rules of approval are not those that approvers signed."""
        roll = Roll(self._git, self._ledger, self._policy, self._ref)
        in_force = roll.in_force()
        required, reasons = tier(
            gate=gate,
            risk=proposal.risk,
            kind=proposal.kind,
            category=proposal.category,
            verdict=evidence.verdict if evidence else None,
            findings=evidence.guard if evidence else (),
            policy=self._policy,
            undecided=evidence.undecided if evidence else None,
            review=review_of(self._ledger, evidence) if evidence else None,
        )
        subject = QuestionSubject(
            proposal=proposal.id,
            gate=gate,
            digest=digest,
            repository=roll.repository,
            base=evidence.base if evidence else proposal.base,
            policy=self._policy.digest,
            verdict=evidence.verdict.value if evidence else "",
            exposed=exposed_keys(signers.parse(in_force.signers).keys()),
        )
        return ask(subject, required, reasons, self._policy.approve)

    def _look(self, question: Question, name: str, looks: int) -> Approval | None:
        """Look once for an answer; it is recorded under a key of its own, by which every client finds it."""
        step = Step("approve", f"look-{name}-{looks}", question.proposal, str, kind="Look", parks_on=_PARKING)
        key = self._do(step, partial(self._record_answer, question))
        return self._journal.recall(key, Approval) if key else None

    def _record_answer(self, question: Question) -> str:
        approval = answer(question, self._engines.approvers)
        if approval is None:
            return ""
        key = decision_key(question)
        self._ledger.append("approve", approval, subject=question.proposal, key=key, actor=approval.who)
        self._ledger.publish()
        return key
