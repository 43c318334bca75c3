"""A pool of warm sandboxes that test many versions of a file, each version in a forked process of its own."""

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.domain.suite import Failure
from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import Job, Sandbox, Session
from whet.target.result_stream import failure_of_event
from whet.target.suite import Suite

_REQUESTS_IN_FLIGHT = 2
_ALONE_SECONDS = 0.3  # about what starting a sandbox and pytest takes
_Request = Mapping[str, object]


@dataclass(frozen=True)
class CandidateResult:
    """The outcomes of the tests for one candidate version; `cannot` is the reason it could not be tried.

    `failures` are those of red tests and of test files that cannot be imported, if they were asked for.
    """

    outcomes: dict[str, str]
    seconds: float
    timed_out: bool
    cannot: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    reached: frozenset[str] = frozenset()
    lines: frozenset[int] = frozenset()
    fitting: tuple[tuple[object, float], ...] = ()
    failures: Mapping[str, Failure] = field(default_factory=dict)


class WarmPool:
    """Up to `width` sandboxes that are started once; a sandbox that dies under a candidate is replaced.

    The first starts with the first request, the others once the candidates have taken longer than a start would take.
    Each has a swift twin, started on first use: it keeps the collected tests of its first request in memory and swaps
    the candidate's function into the loaded module. Candidates that cannot be swapped go to the plain sandbox.
    """

    def __init__(self, suite: Suite, tree: str, width: int, wall_seconds: float) -> None:
        tests = suite.policy.tests
        argv = (suite.interpreter.path, f"{INSIDE_AT}/evaluate.py", "{results}", tests.runner, *tests.args)
        self._suite, self._tree = suite, tree
        self._job = suite.job(tree, argv, wall_seconds)
        self._sandbox = suite.sandbox
        self._workers = [_Worker(suite.sandbox, self._job) for _ in range(width)]
        self._swift_workers: list[_Worker] = []
        self._threads = ThreadPoolExecutor(width)
        self.width = width

    def __enter__(self) -> "WarmPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown()
        for worker in (*self._workers, *self._swift_workers):
            worker.close()

    def run(
        self,
        versions: Iterable[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
        failures: bool = False,
    ) -> list[CandidateResult]:
        """Return the result of the tests for every version, in order; use `swift` to repeat the same tests often.

        A pool describes `failures` if its first request asked for them, which makes it slower.

        `versions` is consumed lazily, so the next candidates are generated while the last ones are tested.
        """
        common = {
            "tests": self._suite.real_ids(self._tree, tests),
            "timeout_seconds": timeout_seconds,
            "stop_early": stop_early,
            **({"failures": True} if failures else {}),
        }
        requests = ({**common, "files": dict(files)} for files in versions)
        if swift:
            return self._run_swift(requests)
        return self._distribute(self._workers, requests)

    def _run_swift(self, requests: Iterable[dict[str, object]]) -> list[CandidateResult]:
        """Try every request in a swift sandbox; repeat those that cannot be swapped in a plain one."""
        if not self._swift_workers:
            self._swift_workers = [_Worker(self._sandbox, self._job, required=False) for _ in range(self.width)]
        sent: list[dict[str, object]] = []

        def remember() -> Iterator[_Request]:
            for request in requests:
                sent.append(request)
                yield {**request, "swift": True}

        results = self._distribute(self._swift_workers, remember())
        left = [index for index, result in enumerate(results) if result.cannot]
        repeated = self._distribute(self._workers, iter([sent[index] for index in left]))
        for index, result in zip(left, repeated, strict=True):
            results[index] = result
        return results

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        """Run the tests on every (files, path, function name) and report the behaviour of that function.

        `values` of a result are the function's results for arguments like those in the tests, `reached` the calls among
        them that the tests made, `lines` the lines of the file that ran.
        """
        common = {
            "tests": self._suite.real_ids(self._tree, tests),
            "timeout_seconds": timeout_seconds,
            "stop_early": False,
        }
        requests = (
            {**common, "files": dict(files), "observe": {"path": path, "name": name}} for files, path, name in versions
        )
        return self._distribute(self._workers, requests)

    def fill(
        self,
        versions: Iterable[tuple[Mapping[str, str], Mapping[str, Any]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]:
        """Run the tests on every (files with a hole, how to fill it); see `inside/holes.py`.

        With a grammar, `fitting` of a result are (structure, agreement) of the expressions that fit the hole.
        """
        common = {
            "tests": self._suite.real_ids(self._tree, tests),
            "timeout_seconds": timeout_seconds,
            "stop_early": False,
        }
        requests = ({**common, "files": dict(files), "holes": self._with_real_ids(how)} for files, how in versions)
        return self._run_swift(requests) if swift else self._distribute(self._workers, requests)

    def _with_real_ids(self, how: Mapping[str, Any]) -> dict[str, Any]:
        forced, grammar = how["forced"], how.get("grammar")
        ids = [test for test in forced if test]
        real = dict(zip(ids, self._suite.real_ids(self._tree, ids), strict=True)) | {"": ""}
        filled: dict[str, Any] = {"forced": {real[test]: force for test, force in forced.items()}}
        if grammar is not None:
            filled["grammar"] = {**grammar, "failing": self._suite.real_ids(self._tree, grammar["failing"])}
        return filled

    def _distribute(self, workers: "Sequence[_Worker]", requests: Iterator[_Request]) -> list[CandidateResult]:
        queue = _Queue(requests, sum(worker.seconds for worker in workers))
        results: dict[int, CandidateResult] = {}
        first, *others = workers
        runs = [first.run, *(worker.run_if_needed for worker in others)]
        for part in self._threads.map(lambda run: run(queue), runs):
            results.update(part)
        return [self._with_shown_ids(results[index]) for index in range(len(results))]

    def _with_shown_ids(self, result: CandidateResult) -> CandidateResult:
        shown = self._suite.shown_ids.shown
        if not self._suite.shown_ids:
            return result
        outcomes = {shown(test): outcome for test, outcome in result.outcomes.items()}
        return replace(
            result, outcomes=outcomes, failures={shown(test): each for test, each in result.failures.items()}
        )


class _Queue:
    """Numbered requests that the workers' threads take one by one; `seconds` is the time that all requests took until now."""

    def __init__(self, requests: Iterator[_Request], seconds: float) -> None:
        self._requests = enumerate(requests)
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._seconds, self._ended = seconds, False

    def take(self) -> tuple[int, _Request] | None:
        with self._lock:
            taken = next(self._requests, None)
        if taken is None:
            self.end()
        return taken

    def end(self) -> None:
        """Let nobody wait any longer: there are no more requests, or a worker has failed."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def add_seconds(self, seconds: float) -> None:
        with self._changed:
            self._seconds += seconds
            self._changed.notify_all()

    def is_worth_a_start(self) -> bool:
        """Wait until it is known whether there is enough work for one more sandbox."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._seconds >= _ALONE_SECONDS)
            return not self._ended


class _Worker:
    """One warm sandbox and its session, started for the first request; without `required`, one that never starts is no
    error."""

    def __init__(self, sandbox: Sandbox, job: Job, *, required: bool = True) -> None:
        self._sandbox, self._job, self._required = sandbox, job, required
        self._has_answered = False
        self._session: Session | None = None
        self.seconds = 0.0

    def _start(self) -> Session:
        session = self._session = self._sandbox.start(self._job)
        self._lines = session.lines()
        return session

    @property
    def _started(self) -> Session:
        return self._session or self._start()

    def run_if_needed(self, queue: _Queue) -> dict[int, CandidateResult]:
        """Work through the queue if the sandbox is running, or if there is enough work to start it."""
        return self.run(queue) if self._session or queue.is_worth_a_start() else {}

    def run(self, queue: _Queue) -> dict[int, CandidateResult]:
        """Work through the queue. If anything fails, no other worker waits for this one."""
        try:
            return self._work_through(queue)
        finally:
            queue.end()

    def _work_through(self, queue: _Queue) -> dict[int, CandidateResult]:
        """Keep one request in the pipe while another runs, so the sandbox never waits."""
        results: dict[int, CandidateResult] = {}
        in_flight: deque[tuple[int, _Request]] = deque()
        while True:
            while len(in_flight) < _REQUESTS_IN_FLIGHT:
                taken = queue.take()
                if taken is None:
                    break
                in_flight.append(taken)
                self._send(*taken)
            if not in_flight:
                return results
            index, _ = in_flight.popleft()
            result = self._result(index)
            results[index] = result or self._restart()
            self.seconds += results[index].seconds
            queue.add_seconds(results[index].seconds)
            if result is None:
                for waiting in in_flight:
                    self._send(*waiting)

    def _send(self, index: int, request: _Request) -> None:
        self._started.send(json.dumps({**request, "id": index}).encode())

    def _result(self, index: int) -> CandidateResult | None:
        for line in self._lines:
            self._has_answered = True
            answer = _answer(line)
            if answer is None:  # a candidate has taken over the script's descriptor
                self._started.kill("done")
                return None
            if answer.get("id") == index:
                return _candidate_result(answer)
        return None

    def _restart(self) -> CandidateResult:
        """Replace a sandbox that died under a candidate, and return an empty result for that candidate."""
        finished = self._started.finish()
        if finished.stopped_by == "stopped":
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        if not self._has_answered and self._required:
            raise SandboxUnavailable(f"the warm sandbox did not start: {redact(finished.output.strip())[-400:]}")
        self._start()
        cannot = "" if self._has_answered else "it did not start"
        return CandidateResult({}, finished.seconds, finished.stopped_by == "wall", cannot)

    def close(self) -> None:
        if self._session:
            self._session.kill("done")
            self._session.finish()


def _answer(line: bytes) -> dict[str, object] | None:
    """Parse an answer, or return None if it is not a JSON object: a candidate can write anything."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _candidate_result(answer: Mapping[str, object]) -> CandidateResult:
    """Build a result from an answer; fields of the wrong type become empty."""
    seconds, lines, reached = (answer.get(name) for name in ("seconds", "lines", "reached"))
    return CandidateResult(
        outcomes=_texts(answer.get("outcomes")),
        seconds=float(seconds) if isinstance(seconds, int | float) else 0.0,
        timed_out=answer.get("timed_out") is True,
        cannot=str(answer.get("cannot", "")),
        values=_texts(answer.get("values")),
        reached=frozenset(call for call in reached if isinstance(call, str))
        if isinstance(reached, list)
        else frozenset(),
        lines=frozenset(line for line in lines if isinstance(line, int)) if isinstance(lines, list) else frozenset(),
        fitting=_fitting(answer.get("fitting")),
        failures=_failures(answer.get("failures")),
    )


def _failures(raw: object) -> dict[str, Failure]:
    """Return the redacted failures; malformed ones are left out."""
    failures = {}
    for test, failure in raw.items() if isinstance(raw, dict) else ():
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            failures[test] = redact_noun(failure_of_event(failure))
    return failures


def _texts(raw: object) -> dict[str, str]:
    pairs = raw.items() if isinstance(raw, dict) else ()
    return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}


def _fitting(raw: object) -> tuple[tuple[object, float], ...]:
    pairs = raw if isinstance(raw, list) else []
    return tuple((pair[0], float(pair[1])) for pair in pairs if _is_fitting(pair))


def _is_fitting(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int | float) and 0 <= pair[1] <= 1
