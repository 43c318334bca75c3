"""A running sandbox: its result lines, its output, and the watchdog over what no per-process limit can bound."""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from whet.domain.containment import Containment
from whet.sandbox.process import kill_group
from whet.sandbox.sandbox import Finished, Limits

_POLL_SECONDS = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")
_OUTPUT_KEPT = 20_000


class BubblewrapSession:
    """Ends when the command ends or a limit is hit; either way the whole process tree is dead then."""

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        results: int,
        limits: Limits,
        containment: Containment,
        stopped: Callable[[], bool],
    ) -> None:
        self._child = child
        self._limits = limits
        self._containment = containment
        self._stopped = stopped
        self._started = time.monotonic()
        self._why = ""
        self._ended = threading.Event()
        self._output = bytearray()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._read_results, args=(results,), daemon=True),
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._watch, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

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
        kill_group(self._child)

    def finish(self, lines: Sequence[bytes] = ()) -> Finished:
        self.end_input()
        code = self._child.wait()
        self._ended.set()
        for thread in self._threads:
            thread.join()
        if self._child.stdout:
            self._child.stdout.close()
        return Finished(
            exit_code=code,
            output=bytes(self._output[-_OUTPUT_KEPT:]).decode(errors="replace"),
            lines=tuple(lines),
            stopped_by=self._why,
            seconds=time.monotonic() - self._started,
            containment=self._containment,
        )

    def _read_results(self, descriptor: int) -> None:
        rest = b""
        total = 0
        with open(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(1 << 16):
                total += len(chunk)
                if total > self._limits.output_bytes:
                    self.kill("output")
                    break
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    self._lines.put(line)
        if rest:
            self._lines.put(rest)
        self._lines.put(None)

    def _read_output(self) -> None:
        assert self._child.stdout is not None  # noqa: S101 - spawn always gives a pipe
        total = 0
        while chunk := os.read(self._child.stdout.fileno(), 1 << 16):
            total += len(chunk)
            self._output += chunk
            if len(self._output) > 4 * _OUTPUT_KEPT:
                del self._output[:-_OUTPUT_KEPT]
            if total > self._limits.output_bytes:
                self.kill("output")
                return

    def _watch(self) -> None:
        while not self._ended.wait(_POLL_SECONDS):
            if why := self._broken_limit():
                self.kill(why)
                return

    def _broken_limit(self) -> str:
        if time.monotonic() - self._started > self._limits.wall_seconds:
            return "wall"
        if self._stopped():
            return "stopped"
        processes = list(_descendants(self._child.pid))
        if len(processes) > self._limits.processes:
            return "processes"
        if sum(map(_resident, processes)) > self._limits.memory_bytes:
            return "memory"
        return ""


def _descendants(pid: int) -> Iterator[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:  # noqa: PTH123 - hot path
            children = [int(child) for child in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in children:
        yield child
        yield from _descendants(child)


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:  # noqa: PTH123 - hot path
            return int(file.read().split()[1]) * _PAGE
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return 0
