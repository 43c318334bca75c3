"""A ledger entry as plain data: what `whet ledger --json`, REST and MCP give."""

from typing import Any

from whet.ledger.entry import Entry


def ledger_row(entry: Entry) -> dict[str, Any]:
    """Return the columns of an entry and its body as data."""
    return {**ledger_line(entry), "key": entry.key, "actor": entry.actor, "hash": entry.hash, "body": entry.data}


def ledger_line(entry: Entry) -> dict[str, Any]:
    """Return what an event says about an entry: enough to decide whether to read it."""
    return {"seq": entry.seq, "at": entry.at, "phase": entry.phase, "kind": entry.kind, "subject": entry.subject}
