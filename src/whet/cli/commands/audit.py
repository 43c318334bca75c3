"""`whet audit`: verify the record."""

from whet.cli.commands.shared import Json, open_project_here, repository_of


def audit(as_json: Json = False) -> int:
    """Verify the ledger and the deploy commits, prove the invariants."""
    from whet.cli.output import emit, say
    from whet.domain.plural import count

    result = repository_of(open_project_here(as_json=True)).audit()
    if as_json:
        emit({"ok": result.ok, "audit": result})
        return 0 if result.ok else 6
    problems = [*result.chain, *result.commits, *result.snapshots]
    say(f"{count(result.entries, 'entry')}: " + ("the chain holds" if not result.chain else "the chain is broken"))
    say(*(f"  problem: {problem}" for problem in problems)) if problems else None
    for invariant in result.invariants:
        mark = "holds   " if invariant.holds else ("VIOLATED" if invariant.blocking else "alert   ")
        say(f"  {mark} {invariant.number:>2} {invariant.statement} ({invariant.checked} checked)")
        if invariant.violations:
            say(*(f"              {violation}" for violation in invariant.violations))
    return 0 if result.ok else 6
