"""Decisions of undecided calls, from any client: a person says which answer is right, and the proposal goes on with it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from whet.app.approvals import approvers
from whet.app.approvals.decisions import GivenAnswer, Receipt, record, refuse_useless_answer, roll_of, vote_of
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.cases.from_ruling import read_answer
from whet.domain.approval import Answer, Question, Ruling
from whet.domain.approvers import Approvers
from whet.domain.proof import SshProof
from whet.domain.redact import redact
from whet.domain.statement import RulingStatement
from whet.domain.undecided_call import UndecidedCall
from whet.errors import Refused, UsageError
from whet.phases.approve.person import ballot, refuse_closed
from whet.phases.approve.rulings import author, decide


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
    text = partial(_statement, question, call, answer, roll_of(project).in_force(), why)
    return approvers.sign_statement(project, question, text, key, who, show)


def decide_call(project: Project, proposal: str, answer: str, given: GivenAnswer) -> Receipt:
    """Record a person's decision and wake the proposal that waits for it. This approves nothing.

    `answer` is as `chosen_answer` returns it.
    """
    refuse_useless_answer(project)
    question, call = undecided_call(view_proposal(project.ledger, proposal))
    refuse_closed(question, given.digest)
    in_force = roll_of(project).in_force()
    vote = vote_of(partial(_statement, question, call, answer, in_force, given.why), given)
    voter = author(vote, ballot(question, None, in_force).question, call, answer, in_force)
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


def _statement(question: Question, call: UndecidedCall, answer: str, in_force: Approvers, why: str, who: str) -> str:
    """Return the text of a decision. Secrets in the reason are redacted, because the ledger would redact them afterwards."""
    return RulingStatement.about(question, call, answer, in_force.digest, who, redact(why)).text
