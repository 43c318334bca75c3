"""Tries candidates until some hold, and orders those that do by how much they look like the right fix."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

from whet.phases.propose.repair.candidate import Candidate

_BATCH_PER_WORKER = 4
_MOST_PER_WORKER = 32
_BATCH_SECONDS = 0.25
_CONFIRMED = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one candidate showed. A test that is absent did not run."""

    outcomes: Mapping[str, str]
    seconds: float = 0.0
    timed_out: bool = False

    def passed(self, tests: Sequence[str]) -> bool:
        return all(self.outcomes.get(test) == "passed" for test in tests)


class Evaluate(Protocol):
    """Runs the targets on each candidate, `width` at a time; they come back in order, each with what it showed.

    It may take a candidate from the iterator while others are tried, and may stop one at its first test that does not
    pass.
    """

    @property
    def width(self) -> int: ...

    def __call__(self, candidates: Iterable[Candidate]) -> Sequence[tuple[Candidate, Attempt]]: ...

    def ranked(self, survivors: Sequence[Candidate]) -> list[Candidate]:
        """Those that held, the one that is most likely meant first."""
        ...

    def any_sure(self, survivors: Sequence[Candidate]) -> bool:
        """Whether there is one among them that nothing speaks against."""
        ...


Stage = Callable[[Sequence[Candidate]], list[Candidate]]
"""Those of the candidates that hold against some of the tests that passed before."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop: at the deadline, after so many tries, or once the first survivor has had its rivals.

    Rivals are looked for while they are at least `rival_share` as likely as the likeliest survivor, for at
    most `rival_tries` further tries, and no longer than leaves `confirming_seconds` to ask the best all tests. While
    all that held is doubtful, for `doubtful_tries`, however likely.
    """

    deadline: float
    confirming_seconds: float = 0.0
    tries: int = 20_000
    survivors: int = 24
    rival_tries: int = 150
    rival_share: float = 0.5
    doubtful_tries: int = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """`survivors` turn every target green and regress no neighbour, best first: those first that held against all
    tests. `green` also counts the others."""

    survivors: tuple[Candidate, ...]
    tried: int
    green: int
    seconds: float
    first_seconds: float = 0.0


def search(
    candidates: Iterator[Candidate],
    evaluate: Evaluate,
    targets: Sequence[str],
    stages: Sequence[Stage],
    limits: Limits,
    clock: Callable[[], float],
) -> Found:
    """There are two stages at most: a few tests that every green candidate is asked, and all, for the best of those that
    held. Without targets nothing can be shown to be mended, so nothing is tried."""
    started = clock()
    survivors: list[Candidate] = []
    confirmed: list[Candidate] = []
    tried = green = tried_at_first = 0
    first, sure = 0.0, False
    size = evaluate.width * _BATCH_PER_WORKER
    quick, whole = stages[:1], stages[1:]

    def in_time(needed: float = 0.0) -> bool:
        return clock() < limits.deadline - needed

    with contextlib.suppress(KeyboardInterrupt):  # whoever is tired of waiting gets what there is
        while targets and in_time(limits.confirming_seconds if survivors else 0.0) and tried < limits.tries:
            following = next(candidates, None)
            rivals = tried - tried_at_first
            if following is None or (survivors and _enough(survivors, following, rivals, limits, sure=sure)):
                confirmed, survivors = _confirmed(survivors, evaluate, whole, in_time)
                if following is None or (confirmed and (not sure or evaluate.any_sure(confirmed))):
                    break
                survivors, confirmed, sure = [*confirmed, *survivors], [], False  # what was, has not held
            most = max(min(size, limits.rival_tries - rivals), 1) if sure else size
            began = clock()
            trials = evaluate(chain([following], islice(candidates, most - 1)))
            size = _next_size(size, clock() - began, evaluate.width)
            tried += len(trials)
            held = [candidate for candidate, trial in trials if trial.passed(targets)]
            green += len(held)
            for stage in quick:
                held = stage(held) if held else []
            if held and not survivors:
                tried_at_first, first = tried, clock() - started
            survivors += held
            if held and not sure and evaluate.any_sure(held):
                tried_at_first, sure = tried, True
        if not confirmed:
            confirmed, survivors = _confirmed(survivors, evaluate, whole, in_time)
    return Found((*evaluate.ranked(confirmed), *evaluate.ranked(survivors)), tried, green, clock() - started, first)


def _confirmed(
    survivors: list[Candidate],
    evaluate: Evaluate,
    stages: Sequence[Stage],
    in_time: Callable[[], bool],
) -> tuple[list[Candidate], list[Candidate]]:
    """The best that hold against all tests too, and those that nobody asked; what does not hold is in neither."""
    ordered = evaluate.ranked(survivors)
    held: list[Candidate] = []
    while ordered and len(held) < _CONFIRMED and in_time():
        batch, ordered = ordered[: evaluate.width], ordered[evaluate.width :]
        for stage in stages:
            batch = stage(batch) if batch else []
        held += batch
    return held, ordered


def _next_size(size: int, seconds: float, width: int) -> int:
    """Batches that take long keep others waiting; at the end of short ones, workers wait for each other too often."""
    if seconds > _BATCH_SECONDS:
        return max(size // 2, width * _BATCH_PER_WORKER)
    return min(size * 2, width * _MOST_PER_WORKER) if seconds < _BATCH_SECONDS / 2 else size


def _enough(survivors: list[Candidate], following: Candidate, rivals: int, limits: Limits, *, sure: bool) -> bool:
    if not sure:
        return rivals >= limits.doubtful_tries
    unlikely = following.rank < limits.rival_share * max(candidate.rank for candidate in survivors)
    return unlikely or rivals >= limits.rival_tries or len(survivors) >= limits.survivors
