"""`Capturer`: the caller's side of capturing, which is a bounded buffer, and the start and end of its drainer thread.

A call never waits here, opens a file or imports a module, because it may run in a signal handler that interrupted just
that. When the buffer is full, calls are dropped and counted.
"""

from __future__ import annotations

import threading  # noqa: F401 (imported here because it takes the first thread that imports it for the main thread)
from _thread import allocate_lock, start_new_thread
from collections import deque
from time import monotonic, sleep

from whet.runtime.capture.lifecycle import finish_at_exit
from whet.runtime.capture.sampling import Sampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whet.runtime.capture.drainer import Drainer
    from whet.runtime.capture.failure import Failure
    from whet.runtime.capture.values import Captured
    from whet.runtime.implementation import Implementation

    Entry = tuple[Implementation, int, int | None, Captured, Any, Failure | None]
    """Implementation, end by `perf_counter_ns`, duration, inputs, output, failure."""

CAPACITY = 16_384
"""Entries. The heavier an entry, the emptier the buffer must be to accept it; this bounds memory at about 60 MB."""

EXIT_SECONDS = 5.0
"""The longest time that the exit of the process waits for the last calls to be written. On a busy disk, creating the file alone
took more than a second. If a write fails, the exit waits no longer."""

_PARENTS_DRAINERS: list[object] = []
"""Keeps the parent's drainers alive in a forked child: closing their connections here would disturb the parent's."""


class Capturer:
    """Captures the calls of all tools of this process that share one state folder."""

    def __init__(self, state: str, sampling: Sampling, redact: frozenset[str]) -> None:
        self.state = state
        self.sampling = sampling
        self.redact = redact
        self.buffer: deque[Entry] = deque()
        self.enrolled: list[Implementation] = []
        self.dropped = 0
        self.urgent = False
        """True after a failure, which the drainer writes at once."""
        self.drainer: Drainer | None = None
        self.lock = allocate_lock()
        """Held while the drainer imports, encodes or writes. A fork waits for it up to `FORK_SECONDS`."""
        self._starting = allocate_lock()
        self._started = False
        self._disabled = False

    def enrol(self, implementation: Implementation) -> bool:
        """Count the implementation's calls from now on. Return False if this capturer is disabled."""
        if not self._started:
            self._start()
        if not self._disabled:
            self.enrolled.append(implementation)
        return not self._disabled

    def put(self, entry: Entry, weight: int) -> None:
        """Append a call to the buffer, or drop and count it if the buffer is too full for its weight."""
        waiting = len(self.buffer)
        if waiting * (1 + weight) < CAPACITY:
            self.buffer.append(entry)
        else:
            self.dropped += 1
        if waiting == CAPACITY // 2 and self.drainer is not None:
            self.drainer.wake()

    def flush(self, timeout_seconds: float) -> bool:
        until = monotonic() + timeout_seconds
        drainer = self._drainer_by(until)
        return drainer.flush(until - monotonic()) if drainer is not None else not self._started

    def release(self) -> None:
        """Stop capturing. The tools that used this capturer look for a new one at their next call."""
        self.finish()
        for implementation in self.enrolled:
            implementation.reset()

    def finish(self) -> None:
        """Write the buffered calls and capture no further ones."""
        self._disabled = True
        drainer = self._drainer_by(monotonic() + EXIT_SECONDS)
        self.drainer = None
        if drainer is not None:
            drainer.close(EXIT_SECONDS)

    def status(self) -> dict[str, Any]:
        drainer = self.drainer
        return {
            "state": self.state,
            "written": drainer.written if drainer else 0,
            "dropped": self.dropped + (drainer.dropped if drainer else 0),
            "problem": drainer.problem if drainer else "",
            "counted_ns": round(self.sampling.counted_ns),
            "drained_ns": round(self.sampling.drain_ns),
        }

    def pause(self, timeout_seconds: float) -> bool:
        """Keep the drainer from working. Return False if it was still busy after the timeout."""
        return self.lock.acquire(timeout=timeout_seconds)

    def reset_in_child(self, *, usable: bool) -> None:
        """Start over in a forked child. The buffered calls and the counts are dropped: the parent writes them."""
        _PARENTS_DRAINERS.append(self.drainer)
        self.drainer = None
        self.lock, self._starting = allocate_lock(), allocate_lock()
        self._started = False
        self._disabled = not usable
        self.buffer.clear()
        self.dropped = 0
        for implementation in self.enrolled:
            implementation.take_counts()
            implementation.detach()
        self.enrolled.clear()

    def _start(self) -> None:
        """Start the drainer thread, unless another thread or an interrupted frame is doing so; never wait for that."""
        if self._disabled or not self._starting.acquire(blocking=False):
            return
        try:
            if not self._started:
                start_new_thread(self._drain, ())
                self._started = True
                finish_at_exit(self)
        except RuntimeError:  # no thread can be started, or the interpreter is shutting down
            self._disabled = True
        finally:
            self._starting.release()

    def _drain(self) -> None:
        with self.lock:
            try:
                from whet.runtime.capture.drainer import Drainer
            except ImportError:  # a Python without sqlite3
                self._disabled = True
                return
            drainer = self.drainer = Drainer(self)
        drainer.run()

    def _drainer_by(self, until: float) -> Drainer | None:
        """Return the drainer; wait for it until then if it is just starting."""
        while self._started and self.drainer is None and monotonic() < until:
            sleep(0.002)
        return self.drainer
