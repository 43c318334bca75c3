"""Record the exchanges of a run: a row of the ledger each, and the redacted texts as files named by their digest."""

import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from whet import state_folder
from whet.domain.exchange import Exchange
from whet.domain.redact import redact

FOLDER = "exchanges"
_MOST_TEXT_BYTES = 512 * 1024
_MOST_RUN_BYTES = 32 * 1024 * 1024


class Transcript:
    """Writes the exchanges of one run. `append` records the noun; an agent's texts would make the ledger slow to check, so
    they lie beside it."""

    def __init__(self, state: Path, append: Callable[[Exchange], None]) -> None:
        self._state, self._append = state, append
        self._lock = threading.Lock()
        self._bytes = 0

    def text(self, content: bytes) -> str:
        """Keep a text, redacted and cut to its limit, and return its digest; empty if nothing is kept."""
        if not content:
            return ""
        kept = redact(content[:_MOST_TEXT_BYTES].decode(errors="replace")).encode()
        digest = hashlib.sha256(kept).hexdigest()
        with self._lock:
            self._bytes += len(kept)
            if self._bytes > _MOST_RUN_BYTES:
                return ""
            state_folder.replace(self._state, f"{FOLDER}/{digest}", kept, flush=False)
        return digest

    def record(self, exchange: Exchange) -> None:
        with self._lock:
            self._append(exchange)


def prune(state: Path, days: float) -> int:
    """Delete the texts that are older than `days`, and return how many. The ledger keeps their digests."""
    before, deleted = time.time() - days * 86_400, 0
    for name in state_folder.names(state, FOLDER):
        with suppress(FileNotFoundError):  # another process deletes old texts too
            if state_folder.status(state, f"{FOLDER}/{name}").st_mtime < before:
                state_folder.remove(state, f"{FOLDER}/{name}")
                deleted += 1
    return deleted
