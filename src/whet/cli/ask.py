"""Answer a gate on the terminal, with diff and proof on one screen."""

import sys

import typer

from whet.app.decisions import answer
from whet.app.project import Project
from whet.app.proposal_view import ProposalView
from whet.cli.output import say
from whet.cli.views import screen
from whet.cli.views.gate import proposal_screen
from whet.cli.views.proposal import proposal_details
from whet.domain.approval import Answer, Question, Tier
from whet.errors import WhetError


def is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_at_gate(project: Project, view: ProposalView) -> bool:
    """Ask until there is an answer; return False if the person leaves the gate open for later."""
    question = view.open_question
    assert question is not None  # noqa: S101 - the caller looked
    screen.console().print(proposal_screen(view))
    while True:
        choice = _choice(question)
        if choice == "l":
            return False
        if choice == "d":
            screen.console().print(proposal_details(view))
        elif choice in ("y", "n"):
            try:
                return _answer(project, view.proposal.id, question.tier, approved=choice == "y")
            except WhetError as problem:
                say(f"{problem.message} {problem.remedy}")


def _choice(question: Question) -> str:
    sys.stdout.flush()  # the screen must be complete before the question
    prompt = f"{question.gate.value.capitalize()}? [y]es  [n]o  [d]etails  [l]ater"
    return str(typer.prompt(prompt, default="l")).strip().lower()[:1]


def _answer(project: Project, proposal: str, tier: Tier, *, approved: bool) -> bool:
    if not approved:
        answer(project, proposal, Answer.REJECTED, via="terminal", why=typer.prompt("Why not", default=""))
        return True
    digest = typer.prompt("The first 8 characters of the evidence digest") if tier.rank >= Tier.APPROVE.rank else ""
    why = typer.prompt("Why") if tier is Tier.REQUIRE else ""
    answer(project, proposal, Answer.APPROVED, via="terminal", why=why, digest=digest)
    return True
