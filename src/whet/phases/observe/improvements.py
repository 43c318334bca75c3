"""Source of signals: better versions of texts that `whet improve` found and that still apply."""

from whet.domain.canonical import digest
from whet.domain.improvement import Improvement
from whet.domain.signal import Signal
from whet.kit import Kit


class Improvements:
    def __init__(self, kit: Kit) -> None:
        self._git, self._ledger = kit.git, kit.ledger

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return one signal for the last result of each file, if the file is still the one that the search started from."""
        latest = {entry.subject: entry for entry in self._ledger.entries(kind="Improvement")}
        found = [entry.read(Improvement) for entry in latest.values()]
        return tuple(
            Signal.of("improvements", improvement.path, improvement, improvement.found_at)
            for improvement in found
            if digest((self._git.read(commit, improvement.path) or b"").decode(errors="replace")) == improvement.before
        )
