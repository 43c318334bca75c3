"""Results of remote workers are merged in order; batches without a valid answer are run locally."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from whet.domain.progress import Silent
from whet.target.distributed import DistributedPool
from whet.target.warm_pool import CandidateResult

VERSIONS = [{"m.py": str(number)} for number in range(20)]
BASE = {"t": "failed"}


class LocalPool:
    """A fake pool that remembers which versions it ran; the outcome names the version."""

    width = 2

    def __init__(self) -> None:
        self.tried = list[str]()

    def run(
        self,
        versions: Iterable[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[CandidateResult]:
        candidates = list(versions)
        self.tried += [files["m.py"] for files in candidates if files]
        return [
            CandidateResult({"t": files["m.py"]} if files else dict(BASE), 0.0, timed_out=False) for files in candidates
        ]

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        return [CandidateResult({}, 0.0, timed_out=False) for _ in versions]

    def fill(
        self,
        versions: Iterable[tuple[Mapping[str, str], Mapping[str, Any]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]:
        return [CandidateResult({}, 0.0, timed_out=False) for _ in versions]


class FakeCrew:
    """Remote workers that answer every batch with `reply`."""

    def __init__(self, reply: Callable[[dict[str, Any]], str | None]) -> None:
        self.worker_widths = [2]
        self._reply, self.batches, self.forgotten = reply, list[dict[str, Any]](), list[str]()

    def widths(self) -> list[int]:
        return self.worker_widths

    def put(self, batch: str) -> str:
        self.batches.append(json.loads(batch))
        return f"b{len(self.batches)}"

    def answer(self, name: str, patience_seconds: float) -> str | None:
        return self._reply(self.batches[int(name[1:]) - 1])

    def forget(self, names: list[str]) -> None:
        self.forgotten += names

    def close(self) -> None:
        """Close nothing: the fake holds no connection."""


def right_answer(batch: dict[str, Any]) -> str:
    tried = [{"outcomes": {"t": files["m.py"]}, "seconds": 0.1, "timed_out": False} for files in batch["versions"]]
    return json.dumps({"base": BASE, "tried": tried})


def pools(reply: Callable[[dict[str, Any]], str | None]) -> tuple[LocalPool, FakeCrew, DistributedPool]:
    local, crew = LocalPool(), FakeCrew(reply)
    return local, crew, DistributedPool(local, crew, {"base": "c0ffee"}, Silent())


def outcomes(tried: Iterable[CandidateResult]) -> list[str]:
    return [result.outcomes["t"] for result in tried]


def test_results_come_back_in_order_and_no_candidate_runs_twice() -> None:
    local, crew, both = pools(right_answer)
    assert both.width == 4
    assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    sent = [files["m.py"] for files in crew.batches[0]["versions"]]
    assert sent and sorted([*sent, *local.tried], key=int) == [str(number) for number in range(20)]
    assert crew.forgotten == ["b1"]


def test_only_the_batch_of_a_worker_that_dies_is_run_locally() -> None:
    local, crew, both = pools(lambda batch: None if batch["versions"][0]["m.py"] == "0" else right_answer(batch))
    crew.worker_widths = [1, 1]
    assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    first, second = ([files["m.py"] for files in batch["versions"]] for batch in crew.batches)
    assert set(first) <= set(local.tried)
    assert not set(second) & set(local.tried)
    assert crew.forgotten == ["b1", "b2"]


WRONG: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "silence": lambda _: None,
    "a refusal": lambda _: json.dumps({"refused": "no such commit"}),
    "no JSON": lambda _: "None",
    "something else": lambda _: "[]",
    "another base": lambda batch: right_answer(batch).replace('"failed"', '"error"'),
    "too few": lambda batch: json.dumps({"base": BASE, "tried": json.loads(right_answer(batch))["tried"][1:]}),
    "no outcomes": lambda batch: right_answer(batch).replace('"outcomes"', '"income"'),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_batch_without_a_valid_answer_is_run_locally(name: str) -> None:
    local, crew, both = pools(WRONG[name])
    for _ in range(2):
        assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    assert len(crew.batches) == (2 if name == "silence" else 1), "a worker that answers wrongly gets no second batch"
    assert len(local.tried) == 40


def test_few_candidates_are_not_sent_to_workers() -> None:
    _, crew, both = pools(right_answer)
    both.run(VERSIONS[:5], ["t"], 1.0, stop_early=True)
    assert crew.batches == []


@pytest.mark.parametrize("stop_early", [True, False])
def test_workers_are_told_whether_to_stop_at_the_first_failing_test(*, stop_early: bool) -> None:
    _, crew, both = pools(right_answer)
    both.run(VERSIONS, ["t"], 1.0, stop_early=stop_early)
    assert [batch["stop_early"] for batch in crew.batches] == [stop_early]
