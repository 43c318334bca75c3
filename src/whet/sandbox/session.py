"""A running sandbox: its result lines, its output, and its end. One thread reads, watches and ends it."""

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
from whet.sandbox.cgroup import Group
from whet.sandbox.process import Child, kill_group
from whet.sandbox.sandbox import Finished, Limits
from whet.sandbox.watchdog import Watchdog

_POLL_SECONDS = 0.02
_WATCHING_SHARE = 10  # a look that takes long is followed by a pause ten times as long
_PAUSE_SECONDS = 0.2  # but by no longer one
_DEATH_SECONDS = 10.0
_CHUNK = 1 << 16
_OUTPUT_KEPT = 20_000


class BubblewrapSession:
    """Ends when the command ends or a limit is hit; either way the whole process tree is dead then."""

    def __init__(
        self,
        launch: Callable[[], Child],
        pipes: tuple[int, int],
        limits: Limits,
        containment: Containment,
        watchdog: Watchdog,
        group: Group | None,
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
        self._look_at = self._started + _POLL_SECONDS
        self._ask_at = self._look_at
        self._why = ""
        self._problem = ""
        self._output = bytearray()
        self._total = self._line_count = 0
        self._rest: list[bytes] = []
        self._rest_bytes = 0
        self._said = b""
        self._unpacks = unpacks
        self._first: tuple[int, int] | None = None  # the first process inside: its number and a descriptor of it
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._begin, daemon=True)
        self._thread.start()
        if problem := self._launched.get():
            raise problem

    def send(self, line: bytes) -> None:
        assert self._child.stdin is not None  # noqa: S101 - spawn always gives a pipe
        try:
            self._child.stdin.write(line + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            return  # it is gone; lines() ends and finish() says why

    def end_input(self) -> None:
        assert self._child.stdin is not None  # noqa: S101 - spawn always gives a pipe
        try:
            self._child.stdin.close()
        except BrokenPipeError:
            return

    def lines(self) -> Iterator[bytes]:
        while (line := self._lines.get()) is not None:
            yield line

    def kill(self, why: str) -> None:
        self._why = self._why or why
        if self._child.returncode is None:
            kill_group(self._child)

    def finish(self, lines: Sequence[bytes] = ()) -> Finished:
        self.end_input()
        self._thread.join()
        output = bytes(self._output[-_OUTPUT_KEPT:]).decode(errors="replace")
        return Finished(
            exit_code=self._child.wait(),
            output=f"{output}\n{self._problem}".strip() if self._problem else output,
            lines=tuple(lines),
            stopped_by=self._why,
            seconds=time.monotonic() - self._started,
            containment=self._containment,
        )

    @property
    def was_built(self) -> bool:
        """Whether bubblewrap got as far as starting the command; it says so itself, where nobody inside can write."""
        return b'"exit-code"' in self._said or bool(self._why)

    @property
    def was_unpacked(self) -> bool:
        """Whether the tree got as far as the command; a line of its own says so before the command runs."""
        return not self._unpacks or bool(self._why)

    def _begin(self) -> None:
        """Bubblewrap dies with the thread that started it, so that is the one which stays until the end."""
        try:
            self._child = self._launch()
        except BaseException as problem:  # noqa: BLE001 - raised again in whoever asked for the sandbox
            self._launched.put(problem)
            return
        self._launched.put(None)
        self._live()

    def _live(self) -> None:
        try:
            self._read_until_dead()
        except Exception as problem:  # noqa: BLE001 - unwatched must mean dead, whatever went wrong
            self._problem = f"the watchdog failed: {problem!r}"
            self.kill("watchdog")
            with contextlib.suppress(TimeoutError):
                self._wait_for_the_last()
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
            os.set_blocking(
                descriptor, False
            )  # as an ordinary user, code inside can take its bytes back before we read
            poll.register(descriptor, select.POLLIN)
        with _process(self._child.pid) as ended:
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
                    self._wait_for_the_last()
                if alive and (why := self._broken_limit()):
                    self.kill(why)

    def _broken_limit(self) -> str:
        """Time is up whatever else is going on; the rest is looked at now and then."""
        now = time.monotonic()
        if now - self._started > self._limits.wall_seconds:
            return "wall"
        if now >= self._ask_at:
            self._ask_at = now + _POLL_SECONDS
            if self._stopped():
                return "stopped"
        return self._look(now) if now >= self._look_at and self._first else ""

    def _look(self, began: float) -> str:
        assert self._first is not None  # noqa: S101 - there is nothing to look at before
        why = self._watchdog.look(self._first[0])
        took = time.monotonic() - began
        self._look_at = began + took + min(max(_POLL_SECONDS, _WATCHING_SHARE * took), _PAUSE_SECONDS)
        return why

    def _take_results(self, chunk: bytes) -> None:
        if not self._allowed(len(chunk)) or self._why == "output":
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
        """Output and results together; what comes after the limit is read, so that the pipe ends, and dropped."""
        self._total += size
        if self._total > self._limits.output_bytes:
            self.kill("output")
        return self._total <= self._limits.output_bytes

    def _take_status(self, chunk: bytes) -> None:
        self._said += chunk
        if self._first is None and b"\n" in self._said:
            pid = int(json.loads(self._said.partition(b"\n")[0])["child-pid"])
            with contextlib.suppress(ProcessLookupError):  # over already
                self._first = (pid, os.pidfd_open(pid))

    def _wait_for_the_last(self) -> None:
        """The first process inside ends after all the others; once it is dead, so are they."""
        if self._first is None:  # it may have ended before it was read about
            _drained(self._status, self._take_status)
        if self._first is None:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first[1], signal.SIGKILL)
        death = select.poll()
        death.register(self._first[1], select.POLLIN)
        if not death.poll(_DEATH_SECONDS * 1000):
            raise TimeoutError("processes of the sandbox would not die")

    def _end(self) -> None:
        if self._rest:
            self._put()
        self._child.wait()
        if self._group:
            self._why = self._why or self._group.limit_hit()
            self._group.remove()
        self._watchdog.close()
        for descriptor in (self._results, self._status, *(self._first[1:] if self._first else ())):
            os.close(descriptor)
        if self._child.stdout:
            self._child.stdout.close()


def _drained(descriptor: int, take: Callable[[bytes], None]) -> bool:
    """Hand on what can be read now; False once there will never be more."""
    try:
        chunk = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return True
    if chunk:
        take(chunk)
    return bool(chunk)


@contextlib.contextmanager
def _process(pid: int) -> Iterator[int]:
    """A descriptor of a process; it can be read from once the process has ended."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
