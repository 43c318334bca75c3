"""What a crew says is put in its place, and what it does not say is found out here."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from whet.domain.progress import Silent
from whet.target.distributed import DistributedPool
from whet.target.warm_pool import CandidateResult

VERSIONS = [{"m.py": str(number)} for number in range(20)]
BASE = {"t": "failed"}


class Here:
    """Remembers what it tried; the outcome names the version."""

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
        known = list(versions)
        self.tried += [files["m.py"] for files in known if files]
        return [CandidateResult({"t": files["m.py"]} if files else dict(BASE), 0.0, timed_out=False) for files in known]

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        return [CandidateResult({}, 0.0, timed_out=False) for _ in versions]


class Elsewhere:
    def __init__(self, say: Callable[[dict[str, Any]], str | None]) -> None:
        self.crew = [2]
        self._say, self.asked, self.forgotten = say, list[dict[str, Any]](), list[str]()

    def widths(self) -> list[int]:
        return self.crew

    def put(self, batch: str) -> str:
        self.asked.append(json.loads(batch))
        return f"b{len(self.asked)}"

    def answer(self, name: str, patience_seconds: float) -> str | None:
        return self._say(self.asked[int(name[1:]) - 1])

    def forget(self, names: list[str]) -> None:
        self.forgotten += names

    def close(self) -> None:
        """Nothing is open."""


def right(asked: dict[str, Any]) -> str:
    tried = [{"outcomes": {"t": files["m.py"]}, "seconds": 0.1, "timed_out": False} for files in asked["versions"]]
    return json.dumps({"base": BASE, "tried": tried})


def spread(say: Callable[[dict[str, Any]], str | None]) -> tuple[Here, Elsewhere, DistributedPool]:
    here, elsewhere = Here(), Elsewhere(say)
    return here, elsewhere, DistributedPool(here, elsewhere, {"base": "c0ffee"}, Silent())


def outcomes(tried: Iterable[CandidateResult]) -> list[str]:
    return [one.outcomes["t"] for one in tried]


def test_answers_come_back_in_order_and_nothing_is_tried_twice() -> None:
    here, elsewhere, both = spread(right)
    assert both.width == 4
    assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    sent = [files["m.py"] for files in elsewhere.asked[0]["versions"]]
    assert sent and sorted([*sent, *here.tried], key=int) == [str(number) for number in range(20)]
    assert elsewhere.forgotten == ["b1"]


def test_every_worker_gets_a_part_and_one_that_dies_takes_only_its_own_along() -> None:
    here, elsewhere, both = spread(lambda asked: None if asked["versions"][0]["m.py"] == "0" else right(asked))
    elsewhere.crew = [1, 1]
    assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    first, second = ([files["m.py"] for files in asked["versions"]] for asked in elsewhere.asked)
    assert set(first) <= set(here.tried)
    assert not set(second) & set(here.tried)
    assert elsewhere.forgotten == ["b1", "b2"]


WRONG: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "silence": lambda _: None,
    "a refusal": lambda _: json.dumps({"refused": "no such commit"}),
    "no JSON": lambda _: "None",
    "something else": lambda _: "[]",
    "another base": lambda asked: right(asked).replace('"failed"', '"error"'),
    "too few": lambda asked: json.dumps({"base": BASE, "tried": json.loads(right(asked))["tried"][1:]}),
    "no outcomes": lambda asked: right(asked).replace('"outcomes"', '"income"'),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_answer_is_found_out_here(what: str) -> None:
    here, elsewhere, both = spread(WRONG[what])
    for _ in range(2):
        assert outcomes(both.run(VERSIONS, ["t"], 1.0, stop_early=True)) == [str(number) for number in range(20)]
    assert len(elsewhere.asked) == (2 if what == "silence" else 1), "who answers wrongly is not asked again"
    assert len(here.tried) == 40


def test_a_few_are_not_worth_sending() -> None:
    _, elsewhere, both = spread(right)
    both.run(VERSIONS[:5], ["t"], 1.0, stop_early=True)
    both.run(VERSIONS, ["t"], 1.0, stop_early=False)
    assert elsewhere.asked == []
