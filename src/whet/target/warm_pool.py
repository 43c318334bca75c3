"""Warm sandboxes that try many versions of a file against a few tests, each in a process of its own."""

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType

from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import Job, Sandbox, Session
from whet.target.suite import Suite

_UNDER_WAY = 2
_Request = Mapping[str, object]


@dataclass(frozen=True)
class Tried:
    outcomes: dict[str, str]
    seconds: float
    timed_out: bool
    cannot: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    lines: frozenset[int] = frozenset()


class Warm:
    """As many sandboxes as asked for, started once; one that dies under a candidate is replaced.

    Beside each stands a swift one, started when it is first asked for: it holds the tests of its first request ready
    and puts a candidate's function in the place of the loaded one. What it cannot try goes to the other.
    """

    def __init__(self, suite: Suite, tree: str, width: int, wall_seconds: float) -> None:
        argv = (suite.interpreter.path, f"{INSIDE_AT}/evaluate.py", "{results}", *suite.policy.tests.args)
        self._job = suite.job(tree, argv, wall_seconds)
        self._sandbox = suite.sandbox
        self._workers = [_Worker(suite.sandbox, self._job) for _ in range(width)]
        self._swift: list[_Worker] = []
        self._pool = ThreadPoolExecutor(width)
        self.width = width

    def __enter__(self) -> "Warm":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()
        for worker in (*self._workers, *self._swift):
            worker.close()

    def run(
        self,
        versions: Iterable[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[Tried]:
        """The outcome of these tests for every version, in order; `swift` is for the same tests again and again.

        Versions are taken one by one, so that the next are made while the last are tried.
        """
        asked = {"tests": list(tests), "timeout_seconds": timeout_seconds, "stop_early": stop_early}
        if not swift:
            return self._share(self._workers, ({**asked, "files": dict(files)} for files in versions))
        if not self._swift:
            self._swift = [_Worker(self._sandbox, self._job, needed=False) for _ in range(self.width)]
        requests: list[dict[str, object]] = []
        tried = self._share(self._swift, _noted(({**asked, "files": dict(files)} for files in versions), requests))
        left = [index for index, trial in enumerate(tried) if trial.cannot]
        again = self._share(self._workers, iter([requests[index] for index in left]))
        for index, trial in zip(left, again, strict=True):
            tried[index] = trial
        return tried

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[Tried]:
        """For each version, what the function of that path and name gives for values like those in the tests, and which
        lines of the file ran."""
        asked = {"tests": list(tests), "timeout_seconds": timeout_seconds, "stop_early": False}
        requests = (
            {**asked, "files": dict(files), "observe": {"path": path, "name": name}} for files, path, name in versions
        )
        return self._share(self._workers, requests)

    def _share(self, workers: "Sequence[_Worker]", requests: Iterator[_Request]) -> list[Tried]:
        shared = _Shared(requests)
        tried: dict[int, Tried] = {}
        for done in self._pool.map(lambda worker: worker.run(shared), workers):
            tried.update(done)
        return [tried[index] for index in range(len(tried))]


def _noted(requests: Iterable[dict[str, object]], kept: list[dict[str, object]]) -> Iterator[_Request]:
    for request in requests:
        kept.append(request)
        yield {**request, "swift": True}


class _Shared:
    """What is left to try, for whichever worker is free."""

    def __init__(self, requests: Iterator[_Request]) -> None:
        self._requests = enumerate(requests)
        self._lock = threading.Lock()

    def take(self) -> tuple[int, _Request] | None:
        with self._lock:
            return next(self._requests, None)


class _Worker:
    def __init__(self, sandbox: Sandbox, job: Job, *, needed: bool = True) -> None:
        self._sandbox, self._job, self._needed = sandbox, job, needed
        self._works = False
        self._start()

    def _start(self) -> None:
        self._session: Session = self._sandbox.start(self._job)
        self._lines = self._session.lines()

    def run(self, shared: _Shared) -> dict[int, Tried]:
        """One request is always on its way while another is tried, so that the sandbox never waits for the next."""
        tried: dict[int, Tried] = {}
        under_way: deque[tuple[int, _Request]] = deque()
        while True:
            while len(under_way) < _UNDER_WAY and (taken := shared.take()) is not None:
                under_way.append(taken)
                self._send(*taken)
            if not under_way:
                return tried
            index, _ = under_way.popleft()
            answer = self._answer(index)
            tried[index] = answer or self._died()
            if answer is None:
                for waiting in under_way:
                    self._send(*waiting)

    def _send(self, index: int, request: _Request) -> None:
        self._session.send(json.dumps({**request, "id": index}).encode())

    def _answer(self, index: int) -> Tried | None:
        for line in self._lines:
            self._works = True
            told = _told(line)
            if told is None:  # whoever writes there now, it is not the script that was started
                self._session.kill("done")
                return None
            if told.get("id") == index:
                return _tried(told)
        return None

    def _died(self) -> Tried:
        finished = self._session.finish()
        if finished.stopped_by == "stopped":
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        if not self._works and self._needed:
            raise SandboxUnavailable(f"the warm sandbox did not start: {finished.output.strip()[-400:]}")
        self._start()
        return Tried({}, finished.seconds, finished.stopped_by == "wall", "" if self._works else "it did not start")

    def close(self) -> None:
        self._session.kill("done")
        self._session.finish()


def _told(line: bytes) -> dict[str, object] | None:
    """An answer of the right form, or None: a candidate could say anything."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _tried(told: Mapping[str, object]) -> Tried:
    seconds = told.get("seconds")
    return Tried(
        _texts(told.get("outcomes")),
        float(seconds) if isinstance(seconds, int | float) else 0.0,
        told.get("timed_out") is True,
        str(told.get("cannot", "")),
        _texts(told.get("values")),
        _lines(told.get("lines")),
    )


def _texts(told: object) -> dict[str, str]:
    pairs = told.items() if isinstance(told, dict) else ()
    return {given: came for given, came in pairs if isinstance(given, str) and isinstance(came, str)}


def _lines(told: object) -> frozenset[int]:
    return frozenset(line for line in told if isinstance(line, int)) if isinstance(told, list) else frozenset()
