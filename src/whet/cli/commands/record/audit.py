"""`whet audit`: verify the record."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import As, Json, Key, StatementFile, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.audits.audit import Audit
    from whet.app.project import Project
    from whet.domain.approval import Vote


def audit(
    accept: Annotated[
        str, typer.Option("--accept", help="Anchor the record as it is, for this reason: moved, restored, upgraded.")
    ] = "",
    key: Key = None,
    statement: StatementFile = None,
    signatures: Annotated[
        list[Path] | None,
        typer.Option("--signature", metavar="FILE", help="Take the signature in FILE.sig over FILE; once per person."),
    ] = None,
    who: As = "",
    as_json: Json = False,
) -> int:
    """Verify the ledger, the deploy commits and the invariants.

    Exits with 6 if something does not match, and with 7 if everything that could be compared matches but not all could
    be compared, for example on another machine. Once keys are enrolled, --accept needs the signatures of tier require.
    """
    from whet.cli.output import emit
    from whet.errors import UsageError

    project = open_project_here(as_json=True)
    if accept:
        return _accept(project, accept, (key, statement, signatures or [], who), as_json=as_json)
    if key or statement or signatures or who:
        raise UsageError("these options sign an acceptance", 'whet audit --accept "why" --key FILE')
    result = repository_of(project).audit()
    emit({"ok": result.ok, "audit": result}) if as_json else _show(result)
    return 6 if not result.ok else 7 if result.unchecked else 0


def _accept(
    project: "Project", why: str, by: tuple[Path | None, Path | None, list[Path], str], *, as_json: bool
) -> int:
    from whet.app.approvals import acceptance as app
    from whet.app.approvals.approvers import default_key, only_person
    from whet.cli.ask import read_text, show_statement, write_text
    from whet.cli.output import emit, say

    key, statement, signatures, who = by
    waiting = app.pending(project, why)
    if statement:
        write_text(statement, waiting.statement(who or only_person(*waiting.boards), waiting.acceptance.why))
        return 0
    votes: list[Vote] = [app.signed(read_text(file.with_suffix("")), read_text(file)) for file in signatures]
    own = key or (default_key() if waiting.boards and not votes and default_key().exists() else None)
    if own:
        show = partial(show_statement, on_error_output=as_json)
        votes.append(app.sign(project, why, own, who=who, show=show))
    accepted = app.accept(project, why, votes)
    people = [str(voter) for voter in accepted.voters] or ["an unproven approver"]
    if as_json:
        emit({"accepted": accepted.problems, "by": people})
    else:
        say(*(f"accepted by {', '.join(people)}: {problem}" for problem in accepted.problems))
    return 0


def _show(result: "Audit") -> None:
    from whet.cli.output import say
    from whet.domain.plural import count

    problems = (*result.chain, *result.commits, *result.snapshots, *result.approvals)
    say(f"{count(result.entries, 'entry')}: " + ("the chain holds" if not result.chain else "the chain is broken"))
    lines = [f"  problem: {problem}" for problem in problems]
    lines += [f"  unproven  {approval}" for approval in result.unproven]
    lines += [f"  by review {review}" for review in result.reviews]
    lines += [f"  not checked: {reason}" for reason in result.unchecked]
    lines += [f"  note: {note}" for note in result.notes]
    say(*lines) if lines else None
    for invariant in result.invariants:
        mark = "holds   " if invariant.holds else ("VIOLATED" if invariant.blocking else "alert   ")
        say(f"  {mark} {invariant.number:>2} {invariant.statement} ({invariant.checked} checked)")
        if invariant.violations:
            say(*(f"              {violation}" for violation in invariant.violations))
