"""Answer a gate on the terminal, with diff and proof on one screen."""

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from whet.app.approvals import approvers
from whet.app.approvals.decisions import GivenAnswer, Receipt, answer, roll_of, statement
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView
from whet.cli.output import say
from whet.cli.views import screen
from whet.cli.views.gate import proposal_screen
from whet.cli.views.proposal import proposal_details
from whet.domain.approval import Answer, Question, Tier
from whet.domain.proof import Assurance
from whet.domain.statement import field_of
from whet.errors import Refused, UsageError, WhetError
from whet.files import MB, read_file
from whet.phases.approve.votes import ENROL, has_signers


@dataclass(frozen=True, kw_only=True)
class AnswerOptions:
    """The options that a person gave on the command line with an answer."""

    why: str = ""
    who: str = ""
    key: Path | None = None
    yes: bool = False
    digest: str = ""
    quiet: bool = False


def is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_at_gate(project: Project, view: ProposalView) -> bool:
    """Ask until there is an answer; return False if the gate stays open: for later, or for other people."""
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
    """Take the answer. Return False if votes of other people are still missing."""
    if not approved:
        answer(project, proposal, Answer.REJECTED, GivenAnswer(via="terminal", why=typer.prompt("Why not", default="")))
        return True
    why = typer.prompt("Why") if tier is Tier.REQUIRE else ""
    receipt = take_yes(project, proposal, AnswerOptions(why=why, yes=True))
    if receipt.missing:
        say(missing_line(receipt))
    return not receipt.missing


def take_yes(
    project: Project, proposal: str, options: AnswerOptions, files: tuple[Path, Path] | None = None
) -> Receipt:
    """Take a yes in the strongest way at hand: a signature that was brought, the person's own key, or their word.

    `files` are a statement and its signature from another machine.
    """
    project.ledger.refuse_if_damaged()
    project.refuse_unknown_engines()
    if files:
        text, armored = (read_text(path) for path in files)
        who, why, proof = field_of(text, "who"), field_of(text, "why"), approvers.proof_of(text, armored)
        given = GivenAnswer(via="signature", why=why, who=who, proof=proof, digest=options.digest)
        return answer(project, proposal, Answer.APPROVED, given)
    key, needed = options.key or approvers.default_key(), approvers.needed(project, proposal)
    signs = (
        options.key
        or (needed > Assurance.OS and key.exists())
        or (not options.yes and approvers.can_sign(project, key))
    )
    if signs:
        show = partial(show_statement, on_error_output=options.quiet)
        who, signed = approvers.sign_approval(project, proposal, key, why=options.why, who=options.who, show=show)
        given = GivenAnswer(via="cli", why=options.why, who=who, proof=signed, digest=options.digest)
        return answer(project, proposal, Answer.APPROVED, given)
    _refuse_word(project, proposal, needed, options)
    return answer(project, proposal, Answer.APPROVED, GivenAnswer(via="cli", why=options.why, digest=options.digest))


def _refuse_word(project: Project, proposal: str, needed: Assurance, options: AnswerOptions) -> None:
    """Refuse a yes without a signature where one is needed, or where no person is at the terminal."""
    if needed > Assurance.OS:
        enrolled = has_signers(roll_of(project).in_force())
        sign = f"whet approve {proposal} --key FILE; for another machine: --statement FILE, then --signature FILE"
        raise Refused(
            "this gate needs a signature by an enrolled key" + ("" if enrolled else ", and no key is enrolled"),
            sign if enrolled else ENROL,
        )
    if options.yes:
        return
    if options.quiet or not is_interactive():
        raise UsageError(
            "nobody is at the terminal to say yes", f"whet approve {proposal} --yes records an unproven approver"
        )
    if not typer.confirm(f"Say yes to {proposal}, without a signature?"):
        raise Refused("not approved; the gate stays open")


def show_statement(text: str, *, on_error_output: bool) -> None:
    """Print the statement before it is signed; to standard error if the output is JSON."""
    stream = sys.stderr if on_error_output else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()  # ssh-keygen asks on the terminal next, and the person must have seen the text


def write_statement(project: Project, proposal: str, path: Path, options: AnswerOptions) -> None:
    """Write the statement of a yes for a signature on another machine; `-` is standard output."""
    who = options.who or approvers.only_person(roll_of(project).in_force())
    write_text(path, statement(project, proposal, who, options.why))


def write_text(path: Path, text: str) -> None:
    """Write text to a file; `-` is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    try:
        path.write_text(text)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}") from problem


def missing_line(receipt: Receipt) -> str:
    seats = ", ".join(map(str, receipt.missing))
    return f"recorded: {receipt.voter} approves {receipt.question.proposal}; still needed: {seats}"


def read_text(path: Path) -> str:
    try:
        return read_file(path, MB).decode()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path} cannot be read as text: {problem}") from problem
