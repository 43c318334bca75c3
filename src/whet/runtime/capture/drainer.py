"""`Drainer`: the capturer's thread. It empties the buffer, encodes the calls and writes them in bulk.

It runs no code of the application. It releases the interpreter's lock between small pieces of work, and measures its own
time per captured call, from which the sampling decides how many calls to capture.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from math import log, log2
from queue import Empty, SimpleQueue

from whet.domain.execution import BUCKETS_PER_OCTAVE, MINUTE
from whet.errors import StateUnusable
from whet.runtime.capture.baseline_cost import measure_counted_ns
from whet.runtime.capture.batch import Batch
from whet.runtime.capture.encode import Encoder
from whet.runtime.capture.signature import own_frames, signature
from whet.runtime.capture.tool_facts import ToolFacts
from whet.runtime.capture.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.capture.capturer import Capturer, Entry
    from whet.runtime.capture.failure import Failure
    from whet.runtime.implementation import Implementation

EVERY_SECONDS = 0.5
AT_A_TIME = 4096
"""Entries in one transaction."""

YIELD_EVERY = 128
"""Entries between two points at which the interpreter's lock is offered to other threads."""

FORGET_AFTER = 600
"""Rounds without a call after which an implementation is detached. Tools that are closures would pile up otherwise."""

LONGEST_BACKOFF_SECONDS = 60.0
_LN2 = log(2)


class Drainer:
    """The loop of the capturer's thread, and the batch that it writes next."""

    def __init__(self, capturer: Capturer) -> None:
        self._capturer = capturer
        self._encoder = Encoder(capturer.redact)
        self._facts: dict[Implementation, ToolFacts] = {}
        self._batch = Batch()
        self._writer = Writer(capturer.state)
        self._wake: SimpleQueue[threading.Event | None] = SimpleQueue()
        self._closing = False
        self._epoch = 0
        self._rest_until = self._own_ns = 0.0
        self._drained_at = time.monotonic()
        self._retry_at = 0.0
        self._backoff = 0.0
        self.written = 0
        self.spent_ns = 0
        """The processor time of this thread so far."""
        self._accounted_ns = 0
        """The part of `spent_ns` that has been added to a batch."""
        self._dropped = 0
        self.problem = ""
        self._running = threading.Lock()
        self._running.acquire()

    @property
    def dropped(self) -> int:
        """Return how many calls were not captured because of a value that could not be encoded, an unusable database or
        the size limit. They are still counted."""
        return self._dropped + self._writer.without_room

    def wake(self) -> None:
        self._wake.put(None)

    def flush(self, timeout_seconds: float) -> bool:
        done = threading.Event()
        self._retry_at = 0.0
        self._wake.put(done)
        return done.wait(timeout_seconds) and not self._batch

    def close(self, timeout_seconds: float) -> None:
        self._closing = True
        self._retry_at = 0.0
        self._wake.put(None)
        self._running.acquire(timeout=timeout_seconds)

    def run(self) -> None:
        self._capturer.sampling.counted_ns = measure_counted_ns()
        while True:
            waiting = self._wait()
            if waiting or self._closing or self._is_time():
                with self._capturer.lock:
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
        capturer = self._capturer
        return capturer.urgent or len(capturer.buffer) > AT_A_TIME or time.monotonic() >= self._rest_until

    def _drain(self) -> None:
        """Write all that is in the buffer now, and the counters."""
        began = time.monotonic()
        self._capturer.urgent = False
        self._epoch = time.time_ns() - time.perf_counter_ns()
        left = len(self._capturer.buffer)
        fixed_ns = 0
        while True:
            entries = min(left, AT_A_TIME)
            left -= entries
            fixed_ns += self._drain_some(entries, last=left == 0)
            if left == 0:
                break
        rest = self._capturer.sampling.rest_seconds(fixed_ns, self._own_ns, began - self._drained_at)
        self._rest_until, self._drained_at, self._own_ns = began + rest, began, 0.0
        self.spent_ns = time.thread_time_ns()

    def _drain_some(self, entries: int, *, last: bool) -> int:
        """Write one transaction and return the time that it took beyond the time for its entries."""
        began = time.thread_time_ns()
        self._take(entries)
        entries_ns = time.thread_time_ns() - began
        if last:
            self._count()
        self._writer.insert_ns = 0
        self._write()
        entries_ns += self._writer.insert_ns
        if entries:
            self._capturer.sampling.note_drain(entries, entries_ns)
        return time.thread_time_ns() - began - entries_ns

    def _take(self, entries: int) -> None:
        buffer = self._capturer.buffer
        for number in range(entries):
            try:
                self._add(buffer.popleft())
            except Exception as problem:  # noqa: BLE001 (one bad value must not end capturing; it is counted and reported)
                self._dropped += 1
                self.problem = f"{type(problem).__name__}: {problem}"
            if number % YIELD_EVERY == YIELD_EVERY - 1:
                time.sleep(0)

    def _add(self, entry: Entry) -> None:
        implementation, ended, duration, (args, kwargs, weight, before), output, failure = entry
        facts = self._facts.get(implementation) or self._add_facts(implementation)
        encoder = self._encoder
        inputs = encoder.inputs(args, kwargs, facts.secret_positions, plain=weight == 0)
        replayable = encoder.faithful and before
        at = (ended + self._epoch - (duration or 0)) // 1000
        totals = self._batch.totals_of(facts.key, implementation.arm, at // 60_000_000 * MINUTE)
        totals.kept += 1
        facts.kept += 1
        if duration is not None:
            exponent = log2(duration or 1)
            bucket = int(BUCKETS_PER_OCTAVE * exponent)
            totals.timed += 1
            totals.duration += duration
            exponent *= _LN2
            totals.log_sum += exponent
            totals.log_squares += exponent * exponent
            totals.buckets[bucket] = totals.buckets.get(bucket, 0) + 1
        failure_signature = message = output_text = None
        if failure is None:
            output_text = encoder.output(output, secret=facts.answers_secret)
        else:
            message = _storable(encoder.message(failure[1]))
            failure_signature = self._count_signature(facts, failure, message, at)
            totals.signatures[failure_signature] = totals.signatures.get(failure_signature, 0) + 1
        self._batch.rows.append(
            (
                facts.key,
                implementation.arm,
                at,
                duration,
                failure is not None,
                replayable,
                inputs,
                output_text,
                failure_signature,
                message,
            )
        )

    def _count_signature(self, facts: ToolFacts, failure: Failure, message: str, at: int) -> str:
        """Add a failure to the batch's signatures and return its signature."""
        error, _, all_frames = failure
        frames = own_frames(all_frames, facts.project) or all_frames[-1:]
        failure_signature = signature(error, frames)
        row = self._batch.signatures.get((facts.key, failure_signature))
        if row is None:
            row = [_storable(error), message, json.dumps(frames), 1, at, at]
            self._batch.signatures[facts.key, failure_signature] = row
        else:
            row[3] += 1
            row[5] = max(row[5], at)
        return failure_signature

    def _add_facts(self, implementation: Implementation) -> ToolFacts:
        facts = self._facts[implementation] = ToolFacts(implementation, self._capturer.redact)
        return facts

    def _count(self) -> None:
        """Add all calls since the last time, captured or not, to the totals of the present minute."""
        minute = int(time.time()) // MINUTE * MINUTE
        enrolled = [(each, self._facts.get(each) or self._add_facts(each)) for each in list(self._capturer.enrolled)]
        detached = {implementation for implementation, facts in enrolled if facts.idle > FORGET_AFTER}
        for implementation in detached:
            implementation.detach()
        # Start a fresh time slice of the interpreter's lock: the counters of a trial's two arms are then read without a
        # call in between.
        time.sleep(0)
        counts = [implementation.take_counts() for implementation, _ in enrolled]
        for (implementation, facts), (calls, errors) in zip(enrolled, counts, strict=True):
            facts.idle = 0 if calls or errors else facts.idle + 1
            if calls or errors:
                totals = self._batch.totals_of(facts.key, implementation.arm, minute)
                own_ns = calls * implementation.mean_ns
                self._own_ns += own_ns
                self._add_overhead(implementation, facts, calls, own_ns)
                totals.calls += calls
                totals.errors += errors
            elif implementation in detached:
                self._capturer.enrolled.remove(implementation)
                del self._facts[implementation]

    def _add_overhead(self, implementation: Implementation, facts: ToolFacts, calls: int, own_ns: float) -> None:
        """Add the cost of capturing to the batch: estimated on the callers' threads, measured on this one."""
        batch, thread_ns = self._batch, time.thread_time_ns()
        batch.own_ns += int(own_ns)
        batch.spent_ns += int(calls * self._capturer.sampling.counted_ns + facts.kept * implementation.mean_cost_ns)
        batch.spent_ns += thread_ns - self._accounted_ns
        self._accounted_ns, facts.kept = thread_ns, 0

    def _write(self) -> None:
        if not self._batch or time.monotonic() < self._retry_at:
            self._dropped += self._batch.drop_oldest()
            return
        self._batch.tools = {facts.key: facts.description for facts in self._facts.values()}
        without_room = self._writer.without_room
        try:
            self._writer.write(self._batch)
        except (sqlite3.Error, OSError, StateUnusable) as problem:
            self._postpone(problem)
            return
        self.written += len(self._batch.rows) - (self._writer.without_room - without_room)
        self._batch = Batch()
        self._backoff = 0.0
        self.problem = ""

    def _postpone(self, problem: Exception) -> None:
        """Keep the batch for the next attempt, after a pause that doubles each time."""
        self.problem = f"{type(problem).__name__}: {problem}"
        self._writer.close()
        self._backoff = min(max(2 * self._backoff, 0.5), LONGEST_BACKOFF_SECONDS)
        self._retry_at = time.monotonic() + self._backoff
        self._dropped += self._batch.drop_oldest()


def _storable(text: str) -> str:
    """Escape lone surrogates, which SQLite does not accept."""
    return text.encode("utf-8", "backslashreplace").decode()
