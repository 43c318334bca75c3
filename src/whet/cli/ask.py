"""A gate answered on the terminal, with the diff and the evidence in view."""

import sys

import typer

from whet.app.decisions import answer
from whet.app.project import Project
from whet.app.proposal_view import Dossier
from whet.cli import render
from whet.cli.output import say
from whet.domain.approval import Answer, Tier
from whet.errors import WhetError


def interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_at_gate(project: Project, found: Dossier) -> bool:
    """Whether an answer was given; `later` leaves the gate open."""
    question = found.open_question
    assert question is not None  # noqa: S101 - the caller looked
    console = render.console()
    console.print(render.dossier(found))
    if found.built and found.built.patch:
        console.print(render.diff(found.built.patch.diff))
    reasons = render.foreign("; ".join(question.reasons))
    console.print(f"[bold]{question.gate.value} gate[/], tier {question.tier.value}: {reasons}")
    while True:
        said = typer.prompt("Go on with it? [y]es, [n]o, [l]ater", default="l").strip().lower()[:1]
        if said == "l":
            return False
        if said in ("y", "n"):
            try:
                return _give(project, found.proposal.id, question.tier, approved=said == "y")
            except WhetError as problem:
                say(f"{problem.message} {problem.remedy}")


def _give(project: Project, proposal: str, tier: Tier, *, approved: bool) -> bool:
    if not approved:
        answer(project, proposal, Answer.REJECTED, via="terminal", why=typer.prompt("Why not", default=""))
        return True
    digest = typer.prompt("The first 8 characters of the evidence digest") if tier.rank >= Tier.APPROVE.rank else ""
    why = typer.prompt("Why") if tier is Tier.REQUIRE else ""
    answer(project, proposal, Answer.APPROVED, via="terminal", why=why, digest=digest)
    return True
