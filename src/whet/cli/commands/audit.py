"""`whet audit`: verify the record."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.audit import Audit


def audit(
    accept: Annotated[
        str, typer.Option("--accept", help="Anchor the record as it is, for this reason: moved, restored, upgraded.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Verify the ledger and the deploy commits, prove the invariants.

    Exits with 6 if something does not match, and with 7 if everything that could be compared matches but not all could
    be compared, for example on another machine.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=True)
    if accept:
        from whet.app.outside import accept as accept_record

        problems = accept_record(project, accept)
        emit({"accepted": problems}) if as_json else say(*(f"accepted: {problem}" for problem in problems))
        return 0
    result = repository_of(project).audit()
    emit({"ok": result.ok, "audit": result}) if as_json else _show(result)
    return 6 if not result.ok else 7 if result.unchecked else 0


def _show(result: "Audit") -> None:
    from whet.cli.output import say
    from whet.domain.plural import count

    problems = (*result.chain, *result.commits, *result.snapshots, *result.approvals)
    say(f"{count(result.entries, 'entry')}: " + ("the chain holds" if not result.chain else "the chain is broken"))
    lines = [f"  problem: {problem}" for problem in problems]
    lines += [f"  unproven  {approval}" for approval in result.unproven]
    lines += [f"  not checked: {reason}" for reason in result.unchecked]
    lines += [f"  note: {note}" for note in result.notes]
    say(*lines) if lines else None
    for invariant in result.invariants:
        mark = "holds   " if invariant.holds else ("VIOLATED" if invariant.blocking else "alert   ")
        say(f"  {mark} {invariant.number:>2} {invariant.statement} ({invariant.checked} checked)")
        if invariant.violations:
            say(*(f"              {violation}" for violation in invariant.violations))
