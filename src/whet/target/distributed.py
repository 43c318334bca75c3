"""Test candidates on this machine and on remote workers at the same time."""

import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from types import TracebackType
from typing import Any, Protocol

from whet.domain.progress import Progress
from whet.target.warm_pool import CandidateResult

_WORTH_SHARING = 2  # candidates per slot, here and remote; with fewer, the transfer costs more than it saves
_PATIENCE_SECONDS, _PATIENCE = 2.0, 3.0  # wait so long, plus so many times the duration of our own share
# The remote share shrinks if the whole run took longer than 1.25 times our own share; it grows if not.
_WAITED, _SLOWER, _FASTER, _SLOWEST, _FASTEST = 1.25, 0.7, 1.2, 0.05, 4.0
_Version = Mapping[str, str]


class Crew(Protocol):
    """Remote workers that test batches of candidates.

    Their results only order the search. The proof of a patch runs on the machine where whet runs.
    """

    def widths(self) -> list[int]: ...

    def put(self, batch: str) -> str: ...

    def answer(self, name: str, patience_seconds: float) -> str | None: ...

    def forget(self, names: list[str]) -> None: ...

    def close(self) -> None: ...


class CandidateRunner(Protocol):
    """Tests candidate versions: a `WarmPool`, or a `DistributedPool` that adds remote workers to a `WarmPool`."""

    @property
    def width(self) -> int: ...

    def run(
        self,
        versions: Iterable[_Version],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[CandidateResult]: ...

    def observe(
        self, versions: Iterable[tuple[_Version, str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]: ...

    def fill(
        self,
        versions: Iterable[tuple[_Version, Mapping[str, Any]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]: ...


class DistributedPool(AbstractContextManager["DistributedPool"]):
    """A local pool and a crew of remote workers.

    `job` tells a worker what to check out and how to run tests: the base commit, the files over it, the settings.
    After a wrong answer (e.g. other outcomes for the unchanged code than here) no worker gets another batch.
    """

    def __init__(self, local: CandidateRunner, crew: Crew, job: Mapping[str, Any], progress: Progress) -> None:
        self._local, self._crew, self._job, self._progress = local, crew, job, progress
        self._base_outcomes: dict[tuple[str, ...], dict[str, str]] = {}
        self._trusted = True
        self._pace = 1.0  # speed of one remote slot relative to one of ours

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.close()

    @property
    def width(self) -> int:
        return self._local.width + sum(self._remote_widths)

    @property
    def _remote_widths(self) -> list[int]:
        return self._crew.widths() if self._trusted else []

    def observe(
        self, versions: Iterable[tuple[_Version, str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        return self._local.observe(versions, tests, timeout_seconds)

    def fill(
        self,
        versions: Iterable[tuple[_Version, Mapping[str, Any]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]:
        return self._local.fill(versions, tests, timeout_seconds, swift=swift)

    def run(
        self,
        versions: Iterable[_Version],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[CandidateResult]:
        """Return the results in the order of the versions; a batch that no worker answers is run here."""

        def run_here(part: Iterable[_Version]) -> list[CandidateResult]:
            return self._local.run(part, tests, timeout_seconds, stop_early=stop_early, swift=swift)

        widths = self._remote_widths
        if not widths:
            return run_here(versions)
        candidates, remote_width = list(versions), sum(widths)
        if len(candidates) < _WORTH_SHARING * (remote_width + self._local.width):
            return run_here(candidates)
        remote_speed = self._pace * remote_width
        remote_count = int(len(candidates) * remote_speed / (remote_speed + self._local.width))
        batches = _split(candidates[:remote_count], len(widths))
        how = {"timeout_seconds": timeout_seconds, "stop_early": stop_early, "swift": swift}
        order = {**self._job, "tests": list(tests), **how}
        base = self._base(tests, timeout_seconds)
        names = [self._crew.put(json.dumps({**order, "versions": list(map(dict, batch))})) for batch in batches]
        began = time.monotonic()
        ours = run_here(candidates[remote_count:])
        answers = self._answers(names, began)
        results = []
        for answer, batch in zip(answers, batches, strict=True):
            remote = self._read(answer, len(batch), base)
            results.append(run_here(batch) if remote is None else remote)
        return [*chain.from_iterable(results), *ours]

    def _answers(self, names: Sequence[str], began: float) -> list[str | None]:
        """Wait for the workers' answers, in proportion to the time that our own share took."""
        took = time.monotonic() - began
        until = began + took + _PATIENCE_SECONDS + _PATIENCE * took
        answers = [self._crew.answer(name, until - time.monotonic()) if name else None for name in names]
        self._crew.forget([name for name in names if name])
        factor = _SLOWER if time.monotonic() - began > _WAITED * took else _FASTER
        self._pace = min(max(self._pace * factor, _SLOWEST), _FASTEST)
        return answers

    def _base(self, tests: Sequence[str], timeout_seconds: float) -> dict[str, str]:
        """Return the outcomes of the unchanged code on this machine, to compare with the workers'."""
        if tuple(tests) not in self._base_outcomes:
            result = self._local.run([{}], tests, timeout_seconds, stop_early=True)[0]
            self._base_outcomes[tuple(tests)] = result.outcomes
        return self._base_outcomes[tuple(tests)]

    def _read(self, answer: str | None, count: int, base: Mapping[str, str]) -> list[CandidateResult] | None:
        """Return the `count` results of a batch; None, and no more trust, if the answer cannot be right."""
        if answer is None:
            return None
        try:
            return _results(json.loads(answer), count, base)
        except _Distrusted as problem:
            reason = str(problem)
        except (ValueError, KeyError, TypeError):
            reason = "its answer cannot be read"
        self._trusted = False
        self._progress.note(f"the search continues without workers: {reason}")
        return None


class _Distrusted(Exception):
    """A worker refused the batch or its answer cannot be right; the message is the reason."""


def _results(content: Mapping[str, Any], count: int, base: Mapping[str, str]) -> list[CandidateResult]:
    if "refused" in content:
        raise _Distrusted(str(content["refused"]))
    if content["base"] != base:
        raise _Distrusted("the unchanged code has other outcomes there")
    results = [_candidate_result(raw) for raw in content["tried"]]
    if len(results) != count:
        raise _Distrusted("its answer has another number of results")
    return results


def _split(versions: Sequence[_Version], count: int) -> list[Sequence[_Version]]:
    """Cut the versions into at most `count` consecutive parts of about equal length, none of them empty."""
    size = max(1, math.ceil(len(versions) / count))
    return [versions[start : start + size] for start in range(0, len(versions), size)]


def _candidate_result(raw: Mapping[str, Any]) -> CandidateResult:
    outcomes = {str(test): str(outcome) for test, outcome in raw["outcomes"].items()}
    seconds = float(raw["seconds"])
    return CandidateResult(outcomes, seconds if math.isfinite(seconds) else 0.0, raw["timed_out"] is True)
