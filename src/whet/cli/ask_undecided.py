"""Ask on the terminal what an undecided call should be, and take the answer."""

import sys
from functools import partial

import typer

from whet.app.approvals import approvers
from whet.app.approvals.decisions import GivenAnswer, Receipt, answer
from whet.app.approvals.rulings import chosen_answer, decide_call, sign_answer, undecided_call
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView
from whet.cli.ask import AnswerOptions, show_statement
from whet.cli.output import say
from whet.cli.views import screen
from whet.cli.views.gate import proposal_screen
from whet.cli.views.proposal import proposal_details
from whet.cli.views.undecided import question_lines
from whet.domain.approval import Answer
from whet.errors import WhetError


def ask_undecided(project: Project, view: ProposalView) -> bool:
    """Ask until there is an answer; return False if the question stays open."""
    _, call = undecided_call(view)
    screen.console().print(proposal_screen(view, asking=True))
    while True:
        say(*question_lines(call, view.evidence.patch_digest if view.evidence else ""))
        choice = _choice(len(call.answers) + 1)
        try:
            if choice == "l":
                return False
            if choice == "d":
                screen.console().print(proposal_details(view))
            elif choice == "n":
                why = typer.prompt("Why not", default="")
                answer(project, view.proposal.id, Answer.REJECTED, GivenAnswer(via="terminal", why=why))
                return True
            elif choice.isdecimal():
                take_answer(project, view, _answer(project, view, int(choice), len(call.answers)), AnswerOptions())
                return True
        except WhetError as problem:
            say(problem.message, f"  {problem.remedy}")


def _choice(last: int) -> str:
    sys.stdout.flush()  # the question must be complete before the answer is read
    return (
        str(typer.prompt(f"Answer? 1-{last}  [n]one, reject the patch  [d]etails  [l]ater", default="l"))
        .strip()
        .lower()
    )


def _answer(project: Project, view: ProposalView, number: int, answers: int) -> str:
    if number != answers + 1:
        return chosen_answer(project, view, number, None)
    value = typer.prompt("It should be (a Python literal, or raise NAME)")
    return chosen_answer(project, view, None, str(value))


def take_answer(project: Project, view: ProposalView, text: str, options: AnswerOptions) -> Receipt:
    """Take a decision in the strongest way at hand: signed with the person's own key, or as the word of this user."""
    key, identity = options.key or approvers.default_key(), view.proposal.id
    if options.key or approvers.can_sign(project, key):
        show = partial(show_statement, on_error_output=options.quiet)
        who, signed = sign_answer(project, view, text, key, why=options.why, who=options.who, show=show)
        given = GivenAnswer(via="cli", why=options.why, digest=options.digest, who=who, proof=signed)
    else:
        given = GivenAnswer(via="cli", why=options.why, digest=options.digest)
    return decide_call(project, identity, text, given)
