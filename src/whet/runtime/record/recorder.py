"""The caller's side of recording: a bounded buffer, and the start and end of the thread that empties it.

Nothing that a call does here waits, opens a file or imports a module: a signal handler may have interrupted just that. A
full buffer drops and counts.
"""

from __future__ import annotations

import threading  # noqa: F401 (here, because it takes the thread that first imports it for the main one)
from _thread import allocate_lock, start_new_thread
from collections import deque
from time import monotonic, sleep

from whet.runtime.record.lifecycle import at_exit
from whet.runtime.record.sampling import Sampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whet.runtime.implementation import Implementation
    from whet.runtime.record.capture import Captured
    from whet.runtime.record.drainer import Drainer
    from whet.runtime.record.failure import Failure

    Entry = tuple[Implementation, int, int | None, Captured, Any, Failure | None]
    """Whose call, when it ended by `perf_counter_ns`, how long it took, inputs, output, failure."""

CAPACITY = 16_384
"""Entries. Heavy ones are admitted only while the buffer is the emptier for it, which bounds memory at some 60 MB."""

EXIT_SECONDS = 1.0
"""How long the end of the process waits for the last records."""

_LEFT_ALONE: list[object] = []
"""In a forked child, the parent's drainers: closing their connections here would disturb the parent's."""


class Recorder:
    def __init__(self, state: str, sampling: Sampling, redact: frozenset[str]) -> None:
        self.state = state
        self.sampling = sampling
        self.redact = redact
        self.buffer: deque[Entry] = deque()
        self.enrolled: list[Implementation] = []
        self.dropped = 0
        self.urgent = False
        """Something failed: whoever watches should not have to wait for it."""
        self.drainer: Drainer | None = None
        self.lock = allocate_lock()
        """Held while the drainer imports, encodes or writes: a fork waits a moment for it."""
        self._starting = allocate_lock()
        self._started = False
        self._disabled = False

    def enrol(self, implementation: Implementation) -> bool:
        """From now on its calls are counted here; False if that cannot be."""
        if not self._started:
            self._start()
        if not self._disabled:
            self.enrolled.append(implementation)
        return not self._disabled

    def put(self, entry: Entry, weight: int) -> None:
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
        """Ends recording here: the tools that came here ask again where to go."""
        self.finish()
        for implementation in self.enrolled:
            implementation.reset()

    def finish(self) -> None:
        """What is waiting is written, what comes after is not recorded."""
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
            "counted_ns": round(self.sampling.floor_ns),
            "drained_ns": round(self.sampling.drain_ns),
        }

    def pause(self, timeout_seconds: float) -> bool:
        """Whether the drainer is kept from its work."""
        return self.lock.acquire(timeout=timeout_seconds)

    def start_anew(self, *, usable: bool) -> None:
        """In a forked child: what the parent has not written yet is the parent's."""
        _LEFT_ALONE.append(self.drainer)
        self.drainer = None
        self.lock, self._starting = allocate_lock(), allocate_lock()
        self._started = False
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
            if not self._started:
                start_new_thread(self._drain, ())
                self._started = True
                at_exit(self)
        except RuntimeError:  # no thread can be had, now or because the interpreter is ending
            self._disabled = True
        finally:
            self._starting.release()

    def _drain(self) -> None:
        with self.lock:
            try:
                from whet.runtime.record.drainer import Drainer
            except ImportError:  # a Python without sqlite3
                self._disabled = True
                return
            drainer = self.drainer = Drainer(self)
        drainer.run()

    def _drainer_by(self, until: float) -> Drainer | None:
        """The drainer; waits for one that is only starting."""
        while self._started and self.drainer is None and monotonic() < until:
            sleep(0.002)
        return self.drainer
