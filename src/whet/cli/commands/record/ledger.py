"""`whet ledger`: read and follow the record."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.ledger.entry import Entry


def ledger(
    phase: Annotated[str, typer.Option("--phase", help="Keep entries of this phase, such as validate.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="Keep entries of this kind, such as Evidence.")] = "",
    subject: Annotated[str, typer.Option("--subject", help="Keep entries about this proposal or cycle.")] = "",
    last: Annotated[int, typer.Option("--last", metavar="N", min=1, help="Show the newest N entries.")] = 20,
    latest: Annotated[bool, typer.Option("--latest", help="Show only the newest entry, with its body.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with new entries until Ctrl-C.")] = False,
    as_json: Json = False,
) -> int:
    """Read the record by phase and kind, and follow it.

    Artifacts are found by phase and kind, the latest of both with --latest. With --json each entry is one line.
    """
    from whet.errors import UsageError

    repository = repository_of(open_project_here(as_json=True))
    record = repository.project.ledger
    head = record.head().seq  # read first: an entry that comes meanwhile is then shown by --follow, not lost
    entries = repository.ledger(phase=phase, kind=kind, subject=subject)
    if latest and not entries and not follow:
        raise UsageError("the record has no such entry", "`whet ledger` shows the phases and kinds that it has")
    for entry in entries[-1:] if latest else entries[-last:]:
        _show(entry, body=latest, as_json=as_json)
    if follow:
        after = max(head, entries[-1].seq if entries else 0)
        for entry in record.follow(after, lambda: False, phase=phase, kind=kind):
            if not subject or entry.subject == subject:
                _show(entry, body=latest, as_json=as_json)
    return 0


def _show(entry: "Entry", *, body: bool, as_json: bool) -> None:
    import json
    import sys

    from whet.app.views.ledger_row import ledger_row
    from whet.cli.output import emit, say
    from whet.domain.canonical import to_plain
    from whet.domain.redact_noun import redact_noun

    if as_json:
        data: dict[str, Any] = to_plain(redact_noun(ledger_row(entry)))
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()
        return
    say(
        f"{entry.seq:>6}  {entry.at:%Y-%m-%d %H:%M:%S}  {entry.phase:<9} {entry.kind:<14} {entry.subject:<12} {entry.actor}"
    )
    if body:
        emit(entry.data)
    sys.stdout.flush()
