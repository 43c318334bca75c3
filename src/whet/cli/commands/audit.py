"""`whet audit`: verify the record."""

from whet.cli.commands.shared import Json, opened, repository_of


def audit(as_json: Json = False) -> int:
    """Verify the ledger and the deploy commits, prove the invariants."""
    from whet.cli.output import emit, say

    found = repository_of(opened(as_json=True)).audit()
    if as_json:
        emit({"ok": found.ok, "audit": found})
        return 0 if found.ok else 6
    problems = [*found.chain, *found.commits, *found.snapshots]
    say(f"{found.entries} entries: " + ("the chain holds" if not found.chain else "the chain is broken"))
    say(*(f"  problem: {problem}" for problem in problems)) if problems else None
    for proved in found.invariants:
        mark = "holds   " if proved.holds else ("VIOLATED" if proved.blocking else "alert   ")
        say(f"  {mark} {proved.number:>2} {proved.statement} ({proved.checked} checked)")
        if proved.violations:
            say(*(f"              {violation}" for violation in proved.violations))
    return 0 if found.ok else 6
