"""The caller's side of recording: a bounded buffer, and how much of what happens goes into it.

Nothing here waits. A full buffer drops and counts. One daemon thread (`whet.runtime.drainer`) empties it.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque

from whet.runtime.ending import at_exit
from whet.runtime.implementation import Implementation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whet.runtime.capture import Captured
    from whet.runtime.drainer import Drainer
    from whet.runtime.failure import Failure

    Entry = tuple[Implementation, int, int | None, Captured, Any, Failure | None]
    """Whose call, when it ended by `perf_counter_ns`, how long it took, inputs, output, failure."""

CAPACITY = 16_384
"""Entries. Heavy ones are admitted only while the buffer is the emptier for it, which bounds memory at some 60 MB."""

HARD_LIMIT = 0.05
FOR_FAILURES = 0.01
"""Of the hard limit, so much is never given to calls that succeeded."""

EXIT_SECONDS = 1.0
"""How long the end of the process waits for the last records."""

LONGEST_GAP = 10_000
"""However dear keeping is, one call in so many is kept: the estimates live from it."""


_LEFT_ALONE: list[object] = []
"""In a forked child, the parent's drainers: closing their connections here would disturb the parent's."""


class Recorder:
    def __init__(self, state: str, sampling: float, limit: float, redact: frozenset[str]) -> None:
        self.state = state
        self.redact = redact
        self.buffer: deque[Entry] = deque()
        self.enrolled: list[Implementation] = []
        self.dropped = 0
        self.floor_ns = 150.0
        """What a call costs that is only counted; the drainer measures it."""
        self.drain_ns = 20_000.0
        """What a kept call costs on the drainer's thread; it measures that too."""
        self.sampling = sampling
        self._share = min(limit, HARD_LIMIT - FOR_FAILURES)
        self.drainer: Drainer | None = None
        self._starting = allocate_lock()
        self._disabled = False

    def enrol(self, implementation: Implementation) -> bool:
        """From now on its calls are counted here; False if that cannot be."""
        if self.drainer is None:
            self._start()
        if not self._disabled:
            self.enrolled.append(implementation)
        return not self._disabled

    def release(self) -> None:
        """Ends recording here: the tools that came here ask again where to go."""
        self.close()
        for implementation in self.enrolled:
            implementation.reset()

    def put(self, entry: Entry, weight: int) -> None:
        waiting = len(self.buffer)
        if waiting * (1 + weight) < CAPACITY:
            self.buffer.append(entry)
        else:
            self.dropped += 1
        if waiting == CAPACITY // 2 and self.drainer is not None:
            self.drainer.wake()

    def gap(self, own_ns: float, cost_ns: float) -> float:
        """How many calls to each kept one, from the tool's mean time and the cost of keeping on the caller's thread."""
        return max(_gap(own_ns * self._share - self.floor_ns, cost_ns + self.drain_ns), 1 / self.sampling)

    def error_gap(self, own_ns: float, cost_ns: float, share: float) -> float:
        """The same for failures, which are `share` of the calls. They get what is left up to the hard limit, so that they
        are the last to be sampled."""
        return _gap(own_ns * (HARD_LIMIT - self._share), cost_ns + share * self.drain_ns)

    def drained(self, entries: int, thread_ns: int) -> None:
        weight = min(entries / 100, 0.5)
        self.drain_ns += weight * (thread_ns / entries - self.drain_ns)

    def flush(self, timeout_seconds: float) -> bool:
        return self.drainer is None or self.drainer.flush(timeout_seconds)

    def close(self, timeout_seconds: float = EXIT_SECONDS) -> None:
        drainer, self.drainer = self.drainer, None
        if drainer is not None:
            drainer.close(timeout_seconds)

    def finish(self) -> None:
        """The end of the process: what is waiting is written, what comes after is not recorded."""
        self._disabled = True
        self.close()

    def status(self) -> dict[str, Any]:
        drainer = self.drainer
        return {
            "state": self.state,
            "written": drainer.written if drainer else 0,
            "dropped": self.dropped + (drainer.given_up if drainer else 0),
            "problem": drainer.problem if drainer else "",
            "caller_floor_ns": round(self.floor_ns),
            "drain_ns": round(self.drain_ns),
        }

    def pause(self, timeout_seconds: float) -> bool:
        """Whether the drainer is kept from its work, or there is none."""
        drainer = self.drainer
        return drainer is None or drainer.lock.acquire(timeout=timeout_seconds)

    def go_on(self) -> None:
        if self.drainer is not None:
            self.drainer.lock.release()

    def start_anew(self, *, usable: bool) -> None:
        """In a forked child: what the parent has not written yet is the parent's."""
        _LEFT_ALONE.append(self.drainer)
        self.drainer = None
        self._starting = allocate_lock()
        self._disabled = not usable
        self.buffer.clear()
        self.dropped = 0
        for implementation in self.enrolled:
            implementation.new_counts()
            implementation.forget()
        self.enrolled.clear()

    def _start(self) -> None:
        """Never waits for another thread, or a signal handler's interrupted frame, that is starting it already."""
        if self._disabled or not self._starting.acquire(blocking=False):
            return
        try:
            from whet.runtime.drainer import Drainer

            drainer = Drainer(self)
            drainer.thread.start()
            self.drainer = drainer
            at_exit(self)
        except (RuntimeError, ImportError):  # no thread or no sqlite3, or none any more: the interpreter is ending
            self._disabled = True
        finally:
            self._starting.release()

    def measure_floor(self) -> None:
        """Times a tool that does nothing and is not kept against the same function bare."""
        from whet.runtime.floor import floor_ns

        self.floor_ns = floor_ns()


def _gap(allowed_ns: float, cost_ns: float) -> float:
    return cost_ns / max(allowed_ns, cost_ns / LONGEST_GAP)
