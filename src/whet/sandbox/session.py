"""A running sandbox: one thread reads its result lines and output, watches its limits and ends it."""

import contextlib
import json
import os
import queue
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from whet.domain.containment import Containment
from whet.sandbox.cgroup import ControlGroup
from whet.sandbox.process import Child, kill_group
from whet.sandbox.sandbox import Finished, JobLimits
from whet.sandbox.watchdog import Watchdog

_POLL_SECONDS = 0.02
_PAUSE_FACTOR = 10  # after a check of the limits, pause ten times as long as the check took,
_PAUSE_SECONDS = 0.2  # but no longer than this
_DEATH_SECONDS = 10.0
_CHUNK = 1 << 16
_OUTPUT_KEPT = 20_000


class BubblewrapSession:
    """A job running in bubblewrap. It ends when the command ends or a limit is hit; then all its processes are dead."""

    def __init__(
        self,
        launch: Callable[[], Child],
        pipes: tuple[int, int],
        limits: JobLimits,
        containment: Containment,
        watchdog: Watchdog,
        group: ControlGroup | None,
        stopped: Callable[[], bool],
        *,
        unpacks: bool,
    ) -> None:
        self._launch = launch
        self._launched: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._results, self._status = pipes
        self._limits = limits
        self._containment = containment
        self._watchdog = watchdog
        self._group = group
        self._stopped = stopped
        self._started = time.monotonic()
        self._next_check = self._started + _POLL_SECONDS  # when the limits are looked at again
        self._next_switch_check = self._next_check  # when the kill switch is looked at again
        self._stopped_by = ""
        self._problem = ""
        self._output = bytearray()
        self._total = self._line_count = 0
        self._rest: list[bytes] = []
        self._rest_bytes = 0
        self._status_text = b""
        self._unpacks = unpacks  # until the line arrives that reports the tree as unpacked
        self._first: tuple[int, int] | None = None  # the first process inside: pid and pidfd
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._begin, daemon=True)
        self._thread.start()
        if problem := self._launched.get():
            raise problem

    def send(self, line: bytes) -> None:
        """Write a line to the command's standard input."""
        assert self._child.stdin is not None  # noqa: S101 - spawn always gives a pipe
        try:
            self._child.stdin.write(line + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            return  # the command has ended; lines() ends too, and finish() tells why

    def end_input(self) -> None:
        assert self._child.stdin is not None  # noqa: S101 - spawn always gives a pipe
        try:
            self._child.stdin.close()
        except BrokenPipeError:
            return

    def lines(self) -> Iterator[bytes]:
        """Yield result lines until the job has ended."""
        while (line := self._lines.get()) is not None:
            yield line

    def kill(self, why: str) -> None:
        """End the job; the first reason given is the one that counts."""
        self._stopped_by = self._stopped_by or why
        if self._child.returncode is None:
            kill_group(self._child)

    def finish(self, lines: Sequence[bytes] = ()) -> Finished:
        """Close the input, wait for the end and return the result, with these lines as its result lines."""
        self.end_input()
        self._thread.join()
        output = bytes(self._output[-_OUTPUT_KEPT:]).decode(errors="replace")
        return Finished(
            exit_code=self._child.wait(),
            output=f"{output}\n{self._problem}".strip() if self._problem else output,
            lines=tuple(lines),
            stopped_by=self._stopped_by,
            seconds=time.monotonic() - self._started,
            containment=self._containment,
        )

    @property
    def was_built(self) -> bool:
        """True if bubblewrap started the command; it reports so on a pipe that code inside cannot write to."""
        return b'"exit-code"' in self._status_text or bool(self._stopped_by)

    @property
    def was_unpacked(self) -> bool:
        """True if the tree was unpacked; a result line reports so before the command runs."""
        return not self._unpacks or bool(self._stopped_by)

    def _begin(self) -> None:
        """Start bubblewrap, and keep this thread until bubblewrap ends: `--die-with-parent` kills it when the thread that
        started it ends."""
        try:
            self._child = self._launch()
        except BaseException as problem:  # noqa: BLE001 - raised again in the thread that starts the session
            self._launched.put(problem)
            return
        self._launched.put(None)
        self._live()

    def _live(self) -> None:
        """Read and watch until the end; kill the sandbox if anything goes wrong."""
        try:
            self._read_until_dead()
        except Exception as problem:  # noqa: BLE001 - a sandbox that cannot be watched must not live
            self._problem = f"the watchdog failed: {problem!r}"
            self.kill("watchdog")
            with contextlib.suppress(TimeoutError):
                self._wait_until_all_are_dead()
        finally:
            try:
                self._end()
            finally:
                self._lines.put(None)

    def _read_until_dead(self) -> None:
        assert self._child.stdout is not None  # noqa: S101 - spawn always gives a pipe
        readers = {
            self._results: self._take_results,
            self._child.stdout.fileno(): self._take_output,
            self._status: self._take_status,
        }
        poll = select.poll()
        for descriptor in readers:
            # Code inside with whet's own user id can read its bytes back before we do; a blocking read would hang.
            os.set_blocking(descriptor, False)
            poll.register(descriptor, select.POLLIN)
        with _pidfd(self._child.pid) as ended:
            poll.register(ended, select.POLLIN)
            alive = True
            while alive or readers:
                ready = [descriptor for descriptor, _ in poll.poll(_POLL_SECONDS * 1000)]
                for descriptor in ready:
                    if descriptor != ended and not _drained(descriptor, readers[descriptor]):
                        poll.unregister(descriptor)
                        del readers[descriptor]
                if ended in ready:
                    alive = False
                    poll.unregister(ended)
                    self._wait_until_all_are_dead()
                if alive and (limit := self._broken_limit()):
                    self.kill(limit)

    def _broken_limit(self) -> str:
        """Return the limit that is broken, or ""; the time is checked always, the rest at intervals."""
        now = time.monotonic()
        if now - self._started > self._limits.wall_seconds:
            return "wall"
        if now >= self._next_switch_check:
            self._next_switch_check = now + _POLL_SECONDS
            if self._stopped():
                return "stopped"
        return self._check(now) if now >= self._next_check and self._first else ""

    def _check(self, began: float) -> str:
        assert self._first is not None  # noqa: S101 - the caller has checked it
        limit = self._watchdog.check(self._first[0])
        took = time.monotonic() - began
        self._next_check = began + took + min(max(_POLL_SECONDS, _PAUSE_FACTOR * took), _PAUSE_SECONDS)
        return limit

    def _take_results(self, chunk: bytes) -> None:
        if not self._allowed(len(chunk)) or self._stopped_by == "output":
            return
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._rest.append(line)
            self._put()
        if rest:
            self._rest.append(rest)
            self._rest_bytes += len(rest)
        if self._rest_bytes > self._limits.line_bytes or self._line_count > self._limits.lines:
            self.kill("output")

    def _put(self) -> None:
        """Hand on a complete line; the first one only reports that the tree is unpacked."""
        line = b"".join(self._rest)
        self._rest, self._rest_bytes = [], 0
        if self._unpacks:
            self._unpacks = False
            return
        self._line_count += 1
        self._lines.put(line)

    def _take_output(self, chunk: bytes) -> None:
        if self._allowed(len(chunk)):
            self._output += chunk
            if len(self._output) > 4 * _OUTPUT_KEPT:
                del self._output[:-_OUTPUT_KEPT]

    def _allowed(self, size: int) -> bool:
        """Count output and result bytes together; False if they exceed the limit.

        Bytes beyond the limit are still read, so that the writer is not blocked, and dropped.
        """
        self._total += size
        if self._total > self._limits.output_bytes:
            self.kill("output")
        return self._total <= self._limits.output_bytes

    def _take_status(self, chunk: bytes) -> None:
        """Collect bubblewrap's status; its first line names the first process inside."""
        self._status_text += chunk
        if self._first is None and b"\n" in self._status_text:
            pid = int(json.loads(self._status_text.partition(b"\n")[0])["child-pid"])
            with contextlib.suppress(ProcessLookupError):  # it has ended already
                self._first = (pid, os.pidfd_open(pid))

    def _wait_until_all_are_dead(self) -> None:
        """Kill the first process inside and wait: the kernel ends it only after all others of its namespace."""
        if self._first is None:  # its status line may not have been read yet
            _drained(self._status, self._take_status)
        if self._first is None:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first[1], signal.SIGKILL)
        death = select.poll()
        death.register(self._first[1], select.POLLIN)
        if not death.poll(_DEATH_SECONDS * 1000):
            raise TimeoutError("the sandbox did not end after SIGKILL")

    def _end(self) -> None:
        if self._rest:
            self._put()
        self._child.wait()
        if self._group:
            self._stopped_by = self._stopped_by or self._group.limit_hit()
            self._group.remove()
        self._watchdog.close()
        for descriptor in (self._results, self._status, *(self._first[1:] if self._first else ())):
            os.close(descriptor)
        if self._child.stdout:
            self._child.stdout.close()


def _drained(descriptor: int, take: Callable[[bytes], None]) -> bool:
    """Read the available bytes of a pipe and pass them to `take`. Return False at the end of the pipe."""
    try:
        chunk = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return True
    if chunk:
        take(chunk)
    return bool(chunk)


@contextlib.contextmanager
def _pidfd(pid: int) -> Iterator[int]:
    """Yield a descriptor that becomes readable when the process has ended."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
