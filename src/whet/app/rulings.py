"""Decisions of undecided calls, from any client: a person says which answer is right, and the proposal goes on with it."""

import os
from collections.abc import Callable
from pathlib import Path

from whet.app import approvers
from whet.app.decisions import Receipt, record, refuse_secrets, roll_of
from whet.app.loop import actor
from whet.app.project import Project
from whet.app.proposal_view import ProposalView, view_proposal
from whet.cases.from_ruling import read_answer
from whet.domain.approval import Answer, Question, Ruling, Vote
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.proof import OsProof, Proof, SshProof
from whet.domain.redact import redact
from whet.domain.statement import RulingStatement
from whet.domain.undecided_call import UndecidedCall
from whet.errors import NotCounted, Refused, UsageError
from whet.phases.approve.person import ballot, refuse_closed
from whet.phases.approve.rulings import author, decide
from whet.phases.approve.votes import PROTECT, exposed
from whet.signing import keygen


def undecided_call(view: ProposalView) -> tuple[Question, UndecidedCall]:
    """Return the open question of a proposal and the call that is undecided. Refuse if there is none."""
    question, call, identity = view.open_question, view.undecided, view.proposal.id
    if question is None or call is None:
        raise Refused(f"no call of {identity} is undecided: {view.status}", f"`whet show {identity}`")
    if not call.testable:
        raise Refused(
            f"{call.call} cannot be written as a test, so an answer cannot decide it",
            f'`whet approve {identity} --why "..."` takes the patch as it is; `whet reject {identity}` does not',
        )
    return question, call


def chosen_answer(project: Project, view: ProposalView, choice: int | None, value: str | None) -> str:
    """Return the answer that a person means: one of the numbered ones, or a value of their own. Refuse anything else."""
    _, call = undecided_call(view)
    if (choice is None) == (value is None):
        raise UsageError("give the number of an answer, or --value", _example(view))
    if choice is not None and not 1 <= choice <= len(call.answers):
        raise UsageError(f"there is no answer {choice}: the numbers are 1 to {len(call.answers)}", _example(view))
    text = value if choice is None else call.answers[choice - 1].text
    source = project.git.read(view.evidence.base, call.path) if view.evidence else None
    return read_answer(text or "", (source or b"").decode(errors="replace"))


def _example(view: ProposalView) -> str:
    return f"`whet answer {view.proposal.id} 1`, or --value 'raise ValueError'"


def sign_answer(
    project: Project, view: ProposalView, answer: str, key: Path, *, why: str, who: str, show: Callable[[str], None]
) -> tuple[str, SshProof]:
    """Show the statement of a decision, sign it with the person's key, and return the person with the proof."""
    question, call = undecided_call(view)
    found, public = roll_of(project).in_force(), approvers.public_half(key)
    person = approvers.person_of(found, public, who)
    if public.fingerprint in ballot(question, None, found).question.exposed:
        raise NotCounted(exposed(public.fingerprint), PROTECT)
    text = _statement(question, call, answer, found, (person, why))
    show(text)
    return person, approvers.proof_of(text, keygen.sign(text.encode(), key, approvers.NAMESPACE))


def decide_call(
    project: Project,
    proposal: str,
    answer: str,
    *,
    via: str,
    why: str = "",
    digest: str = "",
    who: str = "",
    proof: Proof | None = None,
) -> Receipt:
    """Record a person's decision and wake the proposal that waits for it. This approves nothing.

    `answer` is as `chosen_answer` returns it. Without a signature the decision is that of the user of this process, which
    proves nobody. If `digest` is given, it must be the beginning of the evidence digest.
    """
    project.ledger.refuse_if_damaged()
    project.refuse_unknown_engines()
    question, call = undecided_call(view_proposal(project.ledger, proposal))
    refuse_closed(question, digest)
    if proof is None or isinstance(proof, OsProof):
        who, proof = actor(), OsProof(uid=os.getuid(), user=actor())
    found = roll_of(project).in_force()
    text = _statement(question, call, answer, found, (who, why))
    vote = Vote(statement=getattr(proof, "statement", text), proof=proof, via=via, at=now())
    refuse_secrets(vote)
    voter = author(vote, ballot(question, None, found).question, call, answer, found)
    ruling = Ruling(
        undecided=call.id,
        call=call.call,
        function=call.function,
        path=call.path,
        answer=answer,
        vote=vote,
        voter=voter,
    )
    recorded = record(project, question, decide(question, ruling))
    if recorded.ruling is None or recorded.ruling.answer != answer:
        raise Refused(f"{recorded.who} answered first: {recorded.ruling and recorded.ruling.answer}")
    return Receipt(question=question, answer=Answer.DECIDED, voter=voter, approval=recorded)


def _statement(question: Question, call: UndecidedCall, answer: str, found: Approvers, said: tuple[str, str]) -> str:
    """Return the text of a decision. Secrets in the reason are redacted, because the ledger would redact them afterwards."""
    who, why = said
    return RulingStatement.about(question, call, answer, found.digest, who, redact(why)).text
