"""Warm sandboxes that try many versions of a file against a few tests, each in a process of its own."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import Job, Sandbox, Session
from whet.sandbox.suite import Suite


@dataclass(frozen=True)
class Tried:
    outcomes: dict[str, str]
    seconds: float
    timed_out: bool
    cannot: str = ""


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
        versions: Sequence[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[Tried]:
        """The outcome of these tests for every version, in order; `swift` is for the same tests again and again."""
        requests = [
            {"files": dict(files), "tests": list(tests), "timeout_seconds": timeout_seconds, "stop_early": stop_early}
            for files in versions
        ]
        if not swift:
            return self._share(self._workers, requests)
        if not self._swift:
            self._swift = [_Worker(self._sandbox, self._job, needed=False) for _ in range(self.width)]
        tried = self._share(self._swift, [{**request, "swift": True} for request in requests])
        left = [index for index, trial in enumerate(tried) if trial.cannot]
        again = self._share(self._workers, [requests[index] for index in left])
        for index, trial in zip(left, again, strict=True):
            tried[index] = trial
        return tried

    def _share(self, workers: "Sequence[_Worker]", requests: Sequence[Mapping[str, object]]) -> list[Tried]:
        shares = [list(range(first, len(requests), self.width)) for first in range(self.width)]
        jobs = [
            self._pool.submit(worker.run, [requests[index] for index in share])
            for worker, share in zip(workers, shares, strict=True)
        ]
        tried: dict[int, Tried] = {}
        for job, share in zip(jobs, shares, strict=True):
            tried.update(zip(share, job.result(), strict=True))
        return [tried[index] for index in range(len(requests))]


class _Worker:
    def __init__(self, sandbox: Sandbox, job: Job, *, needed: bool = True) -> None:
        self._sandbox, self._job, self._needed = sandbox, job, needed
        self._start()

    def _start(self) -> None:
        self._session: Session = self._sandbox.start(self._job)
        self._lines = self._session.lines()
        self._sent = 0

    def run(self, requests: Sequence[Mapping[str, object]]) -> list[Tried]:
        return [self._one(request) for request in requests]

    def _one(self, request: Mapping[str, object]) -> Tried:
        self._sent += 1
        self._session.send(json.dumps({**request, "id": self._sent}).encode())
        for line in self._lines:
            answer = json.loads(line)
            if answer.get("id") == self._sent:
                return Tried(answer["outcomes"], answer["seconds"], answer["timed_out"], answer.get("cannot", ""))
        return self._died()

    def _died(self) -> Tried:
        finished = self._session.finish()
        if finished.stopped_by == "stopped":
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        if self._sent == 1 and self._needed:
            raise SandboxUnavailable(f"the warm sandbox did not start: {finished.output.strip()[-400:]}")
        began = self._sent > 1
        self._start()
        return Tried({}, finished.seconds, finished.stopped_by == "wall", "" if began else "it did not start")

    def close(self) -> None:
        self._session.kill("done")
        self._session.finish()
