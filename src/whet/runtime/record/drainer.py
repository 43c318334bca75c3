"""The recorder's one thread: empties the buffer, turns what it finds into rows and sums, writes them in bulk.

It runs no code of the application. It gives the interpreter's lock back between small pieces of work, and measures what
its own time is per kept call, which the sampling then takes into account.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from math import log, log2
from queue import Empty, SimpleQueue

from whet.domain.execution import BUCKETS_PER_OCTAVE, MINUTE
from whet.runtime.record.baseline_cost import floor_ns
from whet.runtime.record.batch import Pending
from whet.runtime.record.encode import Encoder
from whet.runtime.record.redact import redacted
from whet.runtime.record.signature import own_frames, signature
from whet.runtime.record.tool_facts import Known
from whet.runtime.record.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.implementation import Implementation
    from whet.runtime.record.failure import Failure
    from whet.runtime.record.recorder import Entry, Recorder

EVERY_SECONDS = 0.5
AT_A_TIME = 4096
"""Entries to a transaction."""

BREATH = 128
"""Entries between two chances for the host's threads."""

FORGET_AFTER = 600
"""Rounds without a call, after which an implementation is let go: closures that are tools come and go."""

LONGEST_BACKOFF_SECONDS = 60.0
_LN2 = log(2)


class Drainer:
    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._encoder = Encoder(recorder.redact)
        self._known: dict[Implementation, Known] = {}
        self._pending = Pending()
        self._writer = Writer(recorder.state)
        self._wake: SimpleQueue[threading.Event | None] = SimpleQueue()
        self._closing = False
        self._epoch = 0
        self._rest_until = self._own_ns = 0.0
        self._drained_at = time.monotonic()
        self._retry_at = 0.0
        self._backoff = 0.0
        self.written = 0
        self.spent_ns = 0
        """Processor time of this thread so far."""
        self._accounted_ns = 0
        """As much of it as has been written down."""
        self._given_up = 0
        self.problem = ""
        self._running = threading.Lock()
        self._running.acquire()

    @property
    def dropped(self) -> int:
        """Records, never counts, that were lost to odd values, to an unusable database or to its size."""
        return self._given_up + self._writer.without_room

    def wake(self) -> None:
        self._wake.put(None)

    def flush(self, timeout_seconds: float) -> bool:
        done = threading.Event()
        self._retry_at = 0.0
        self._wake.put(done)
        return done.wait(timeout_seconds) and not self._pending

    def close(self, timeout_seconds: float) -> None:
        self._closing = True
        self._retry_at = 0.0
        self._wake.put(None)
        self._running.acquire(timeout=timeout_seconds)

    def run(self) -> None:
        self._recorder.sampling.floor_ns = floor_ns()
        while True:
            waiting = self._wait()
            if waiting or self._closing or self._is_time():
                with self._recorder.lock:
                    self._drain()
            for done in waiting:
                done.set()
            if self._closing:
                self._writer.close()
                self._running.release()
                return

    def _wait(self) -> list[threading.Event]:
        waiting: list[threading.Event] = []
        try:
            token = self._wake.get(timeout=EVERY_SECONDS)
            while True:
                if token is not None:
                    waiting.append(token)
                token = self._wake.get_nowait()
        except Empty:
            return waiting

    def _is_time(self) -> bool:
        recorder = self._recorder
        return recorder.urgent or len(recorder.buffer) > AT_A_TIME or time.monotonic() >= self._rest_until

    def _drain(self) -> None:
        """Everything that is in the buffer now, and the counters."""
        began = time.monotonic()
        self._recorder.urgent = False
        self._epoch = time.time_ns() - time.perf_counter_ns()
        left = len(self._recorder.buffer)
        fixed_ns = 0
        while True:
            entries = min(left, AT_A_TIME)
            left -= entries
            fixed_ns += self._drain_some(entries, last=left == 0)
            if left == 0:
                break
        rest = self._recorder.sampling.rest_seconds(fixed_ns, self._own_ns, began - self._drained_at)
        self._rest_until, self._drained_at, self._own_ns = began + rest, began, 0.0
        self.spent_ns = time.thread_time_ns()

    def _drain_some(self, entries: int, *, last: bool) -> int:
        """One transaction; says what it cost beyond its entries."""
        began = time.thread_time_ns()
        self._take(entries)
        each_ns = time.thread_time_ns() - began
        if last:
            self._count()
        self._writer.insert_ns = 0
        self._write()
        each_ns += self._writer.insert_ns
        if entries:
            self._recorder.sampling.drained(entries, each_ns)
        return time.thread_time_ns() - began - each_ns

    def _take(self, entries: int) -> None:
        buffer = self._recorder.buffer
        for taken in range(entries):
            try:
                self._add(buffer.popleft())
            except Exception as problem:  # noqa: BLE001 (one odd value must not end recording; it is counted and named)
                self._given_up += 1
                self.problem = f"{type(problem).__name__}: {problem}"
            if taken % BREATH == BREATH - 1:
                time.sleep(0)

    def _add(self, entry: Entry) -> None:
        implementation, ended, duration, (args, kwargs, weight, before), output, failure = entry
        known = self._known.get(implementation) or self._meet(implementation)
        encoder = self._encoder
        inputs = encoder.inputs(args, kwargs, known.secret_positions, plain=weight == 0)
        replayable = encoder.faithful and before
        at = (ended + self._epoch - (duration or 0)) // 1000
        sums = self._pending.of(known.key, implementation.arm, at // 60_000_000 * MINUTE)
        sums.kept += 1
        known.kept += 1
        if duration is not None:
            exponent = log2(duration or 1)
            place = int(BUCKETS_PER_OCTAVE * exponent)
            sums.timed += 1
            sums.duration += duration
            exponent *= _LN2
            sums.log_sum += exponent
            sums.log_squares += exponent * exponent
            sums.buckets[place] = sums.buckets.get(place, 0) + 1
        mark = message = written = None
        if failure is None:
            written = encoder.output(output)
        else:
            message = _safe(redacted(failure[1]))
            mark = self._sign(known, failure, message, at)
            sums.signatures[mark] = sums.signatures.get(mark, 0) + 1
        self._pending.rows.append(
            (
                known.key,
                implementation.arm,
                at,
                duration,
                failure is not None,
                replayable,
                inputs,
                written,
                mark,
                message,
            )
        )

    def _sign(self, known: Known, failure: Failure, message: str, at: int) -> str:
        error, _, frames = failure
        own = own_frames(frames, known.project)
        mark = signature(error, own or frames[-1:])
        seen = self._pending.signatures.get((known.key, mark))
        if seen is None:
            places = json.dumps(own or frames[-1:])
            self._pending.signatures[known.key, mark] = [_safe(error), message, places, 1, at, at]
        else:
            seen[3] += 1
            seen[5] = max(seen[5], at)
        return mark

    def _meet(self, implementation: Implementation) -> Known:
        known = self._known[implementation] = Known(implementation, self._recorder.redact)
        return known

    def _count(self) -> None:
        """Every call since the last time, kept or not, goes to the minute in which it is counted."""
        minute = int(time.time()) // MINUTE * MINUTE
        enrolled = [(each, self._known.get(each) or self._meet(each)) for each in list(self._recorder.enrolled)]
        forgotten = {implementation for implementation, known in enrolled if known.idle > FORGET_AFTER}
        for implementation in forgotten:
            implementation.forget()
        time.sleep(
            0
        )  # a whole turn with the interpreter's lock: no calls come between the counters of a trial's two arms
        counted = [implementation.new_counts() for implementation, _ in enrolled]
        for (implementation, known), (calls, errors) in zip(enrolled, counted, strict=True):
            known.idle = 0 if calls or errors else known.idle + 1
            if calls or errors:
                sums = self._pending.of(known.key, implementation.arm, minute)
                own_ns = calls * implementation.mean_ns
                self._own_ns += own_ns
                self._account(implementation, known, calls, own_ns)
                sums.calls += calls
                sums.errors += errors
            elif implementation in forgotten:
                self._recorder.enrolled.remove(implementation)
                del self._known[implementation]

    def _account(self, implementation: Implementation, known: Known, calls: int, own_ns: float) -> None:
        """What whet says of its own cost: by the caller's estimates, and by the clock of this thread."""
        pending, thread_ns = self._pending, time.thread_time_ns()
        pending.own_ns += int(own_ns)
        pending.spent_ns += int(calls * self._recorder.sampling.floor_ns + known.kept * implementation.mean_cost_ns)
        pending.spent_ns += thread_ns - self._accounted_ns
        self._accounted_ns, known.kept = thread_ns, 0

    def _write(self) -> None:
        if not self._pending or time.monotonic() < self._retry_at:
            self._given_up += self._pending.give_up()
            return
        self._pending.tools = {known.key: known.described for known in self._known.values()}
        refused = self._writer.without_room
        try:
            self._writer.write(self._pending)
        except (sqlite3.Error, OSError) as problem:
            self._put_off(problem)
            return
        self.written += len(self._pending.rows) - (self._writer.without_room - refused)
        self._pending = Pending()
        self._backoff = 0.0
        self.problem = ""

    def _put_off(self, problem: Exception) -> None:
        self.problem = f"{type(problem).__name__}: {problem}"
        self._writer.close()
        self._backoff = min(max(2 * self._backoff, 0.5), LONGEST_BACKOFF_SECONDS)
        self._retry_at = time.monotonic() + self._backoff
        self._given_up += self._pending.give_up()


def _safe(text: str) -> str:
    """Text that a database takes: no lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()
