"""The ledger: rows newest first, filtered and paged, with the head that anchors them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from whet.app.project import Project
from whet.app.views.ledger_row import ledger_row
from whet.cycle import ORDER
from whet.domain.clock import now
from whet.errors import WhetError
from whet.ledger.entry import Entry, Head
from whet.ledger.ledger import Ledger
from whet.web.answers import shown

PAGE = 100
_EXPORTED_AT_ONCE = 500
_LONGEST_BODY = 4_000


@dataclass(frozen=True)
class LedgerRow:
    """An entry with its body as indented JSON, cut if it is long."""

    entry: Entry
    body: str
    cut: bool


@dataclass(frozen=True, kw_only=True)
class LedgerPage:
    """One page of the ledger. `older` is the number to continue below, 0 if there is nothing older."""

    rows: tuple[LedgerRow, ...]
    filters: Mapping[str, str]
    head: Head
    anchored: bool
    older: int
    phases: tuple[str, ...]
    now: datetime


def ledger_page(project: Project, before: int, filters: Mapping[str, str]) -> LedgerPage:
    """Return up to a hundred entries below `before`, newest first. 0 starts at the end."""
    ledger = project.ledger
    entries = ledger.newest(PAGE + 1, before=before, **filters)
    head, anchor = ledger.head(), ledger.anchor()
    return LedgerPage(
        rows=tuple(_row(entry) for entry in entries[:PAGE]),
        filters=filters,
        head=head,
        anchored=anchor == head or not head.seq,
        older=entries[PAGE - 1].seq if len(entries) > PAGE else 0,
        phases=ORDER,
        now=now(),
    )


def _row(entry: Entry) -> LedgerRow:
    """Return an entry for the page. A short body is indented; a long one is cut, and the export has it whole."""
    if len(entry.body) > _LONGEST_BODY:
        return LedgerRow(entry, entry.body[:_LONGEST_BODY], cut=True)
    return LedgerRow(entry, json.dumps(entry.data, indent=2, ensure_ascii=False), cut=False)


def export_lines(ledger: Ledger, filters: Mapping[str, str]) -> Iterator[str]:
    """Yield the entries that the filters keep, oldest first, as `whet ledger --json` prints them: one line of JSON each.

    Reads a few hundred rows at a time, up to the last row at the start. A row that cannot be read ends the export with
    a line that says so.
    """
    phase, kind, subject, actor = (filters.get(name, "") for name in ("phase", "kind", "subject", "actor"))
    after, last = 0, ledger.head().seq
    try:
        while entries := ledger.entries(phase=phase, kind=kind, subject=subject, after=after, most=_EXPORTED_AT_ONCE):
            for entry in entries:
                if entry.seq <= last and actor in ("", entry.actor):
                    yield json.dumps(shown(ledger_row(entry))) + "\n"
            after = entries[-1].seq
            if after >= last:
                return
    except WhetError as problem:
        yield json.dumps({"problem": problem.message}) + "\n"
