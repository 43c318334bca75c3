"""Try candidates until some pass, and order those by how likely they are the right fix."""

import contextlib
import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from whet.domain.plural import count
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluator import Evaluator, Stage
from whet.phases.propose.repair.partial_fixes import PartialFixes

_BATCH_PER_WORKER = 4
_MOST_PER_WORKER = 32
_BATCH_SECONDS = 0.25
_CONFIRMED = 2


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of a search: a deadline, a number of tries, and how long to look for rivals of the first survivor.

    Rivals are tried while their rank is at least `rival_share` of the best survivor's, for at most `rival_tries`
    further tries, and only while `confirming_seconds` remain for the full test suite. While every survivor has a red
    flag, the search goes on for `doubtful_tries`, whatever the rank.
    """

    deadline: float
    confirming_seconds: float = 0.0
    tries: int = 20_000
    survivors: int = 24
    rival_tries: int = 150
    rival_share: float = 0.5
    doubtful_tries: int = 1000
    guided_after: int = 2500
    guided_share: float = 0.5


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search.

    `survivors` turn every target green and break no regression test, best first; those that passed all tests come
    before the others. `green` counts every candidate that turned the targets green. If there is no survivor, `partial`
    are candidates that turn some of the target tests green and break no regression test, each with the targets that
    it was not seen to turn green. `out_of_time` tells that the deadline ended the search.
    """

    survivors: tuple[Candidate, ...]
    tried: int
    green: int
    seconds: float
    first_seconds: float = 0.0
    partial: tuple[tuple[Candidate, tuple[str, ...]], ...] = ()
    out_of_time: bool = False


def search(
    candidates: Iterator[Candidate],
    evaluate: Evaluator,
    targets: Sequence[str],
    stages: Sequence[Stage],
    limits: SearchLimits,
    clock: Callable[[], float],
    guide: Callable[[], Iterator[Candidate]] = lambda: iter(()),
) -> SearchResult:
    """Try candidates within the limits and return the survivors. Without targets nothing is tried.

    `stages` has at most two entries: a few regression tests, run for every green candidate, and all tests, run for
    the best survivors. `guide` returns further candidates that take long to find: it is called once, if
    `guided_after` tries, or those in `guided_share` of the time, bring no survivor without a red flag, and never while
    candidates run.
    """
    started = clock()
    survivors: list[Candidate] = []
    confirmed: list[Candidate] = []
    tried = green = tried_at_first = 0
    first, sure, guided = 0.0, False, False
    partial = PartialFixes(targets)
    size = evaluate.width * _BATCH_PER_WORKER
    quick, full = stages[:1], stages[1:]

    def in_time(needed: float = 0.0) -> bool:
        return clock() < limits.deadline - needed

    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C ends the search early and keeps its survivors
        while targets and in_time(limits.confirming_seconds if survivors else 0.0) and tried < limits.tries:
            following = next(candidates, None)
            long = tried >= limits.guided_after or clock() - started >= limits.guided_share * (
                limits.deadline - started
            )
            if not sure and not guided and (following is None or long):
                guided, rest = True, [] if following is None else [following]
                candidates = heapq.merge(guide(), chain(rest, candidates), key=lambda candidate: -candidate.rank)
                following = next(candidates, None)
            rivals = tried - tried_at_first
            if following is None or (survivors and _enough(survivors, following, rivals, limits, sure=sure)):
                confirmed, survivors = _confirm(survivors, evaluate, full, in_time)
                if following is None or (confirmed and (not sure or evaluate.any_sure(confirmed))):
                    break
                # the sure survivor failed the full suite: search on
                survivors, confirmed, sure = [*confirmed, *survivors], [], False
            most = max(min(size, limits.rival_tries - rivals), 1) if sure else size
            began = clock()
            runs = evaluate(chain([following], islice(candidates, most - 1)))
            size = _next_size(size, clock() - began, evaluate.width)
            tried += len(runs)
            partial.add(runs)
            passing = [candidate for candidate, run in runs if run.passed(targets)]
            green += len(passing)
            for stage in quick:
                passing = stage(passing) if passing else []
            if passing and not survivors:
                tried_at_first, first = tried, clock() - started
            survivors += passing
            if passing and not sure and evaluate.any_sure(passing):
                tried_at_first, sure = tried, True
        if not confirmed:
            confirmed, survivors = _confirm(survivors, evaluate, full, in_time)
    ranked = (*evaluate.ranked(confirmed), *evaluate.ranked(survivors))
    some = () if ranked else partial.confirmed(evaluate, stages)
    return SearchResult(ranked, tried, green, clock() - started, first, some, not in_time())


def why_none(result: SearchResult) -> str:
    if result.survivors:
        return f"{count(result.tried, 'edit')} tried; every patch that passed was rejected before"
    if result.green:
        return (
            f"{count(result.tried, 'edit')} tried; {result.green} turned the targets green, and each broke another test"
        )
    if not result.tried:
        return "no edit tried: " + (
            "the failing tests took all the time on the unchanged code; give the search more seconds"
            if result.out_of_time
            else "no edit is known for the suspicious lines"
        )
    return f"{count(result.tried, 'edit')} tried in {result.seconds:.0f} s; none turned the targets green"


def _confirm(
    survivors: list[Candidate],
    evaluate: Evaluator,
    stages: Sequence[Stage],
    in_time: Callable[[], bool],
) -> tuple[list[Candidate], list[Candidate]]:
    """Return (passed the full suite, not yet run); candidates that failed are dropped."""
    ordered = evaluate.ranked(survivors)
    confirmed: list[Candidate] = []
    while ordered and len(confirmed) < _CONFIRMED and in_time():
        batch, ordered = ordered[: evaluate.width], ordered[evaluate.width :]
        for stage in stages:
            batch = stage(batch) if batch else []
        confirmed += batch
    return confirmed, ordered


def _next_size(size: int, seconds: float, width: int) -> int:
    """Return the size of the next batch, given the time of the last one.

    In a long batch, results wait for the slowest candidate; between short ones, workers wait for each other too often.
    """
    if seconds > _BATCH_SECONDS:
        return max(size // 2, width * _BATCH_PER_WORKER)
    return min(size * 2, width * _MOST_PER_WORKER) if seconds < _BATCH_SECONDS / 2 else size


def _enough(survivors: list[Candidate], following: Candidate, rivals: int, limits: SearchLimits, *, sure: bool) -> bool:
    """True if the search for rivals of the survivors is over."""
    if not sure:
        return rivals >= limits.doubtful_tries
    unlikely = following.rank < limits.rival_share * max(candidate.rank for candidate in survivors)
    return unlikely or rivals >= limits.rival_tries or len(survivors) >= limits.survivors
