"""Find the functions that are most suspicious for each failing test alone, from the lines that it and passing tests run."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from whet.domain.suite import Failure
from whet.target.suite import Suite
from whet.target.suspicion.localise import MODULE, Covered, localise
from whet.target.tracer import TracedTest, trace

_MOST_NEIGHBOURS = 150
_MOST_FAR = 30
_MOST_LINES = 100_000
# Functions within this distance of the most suspicious one share the blame, and so do more lines of these functions: the
# line of a crash stands out among lines that only the failing test runs.
_CLOSE, _CLOSE_LINE = 0.02, 0.12
# The suspicion of a line that nine passing tests run too: code that so many tests use says nothing about one failure.
_LEAST = 0.29


class CodePlace(NamedTuple):
    """A function by the path of its file and its dotted name."""

    path: str
    function: str


Blame = Mapping[CodePlace, frozenset[int]]
"""The most suspicious functions for one failing test, with their most suspicious lines."""


def blamed_functions(
    suite: Suite,
    tree: str,
    failing: Sequence[str],
    failures: Mapping[str, Failure],
    passed: Collection[str],
    is_test: Callable[[str], bool],
) -> dict[str, Blame]:
    """Trace the failing tests beside passing ones; return the blame of each failing test that was traced.

    It is empty if passing tests run all that the failing test runs about as much.
    """
    traces = trace(suite, tree, [*failing, *neighbours(failing, passed)])
    sources = traced_sources(suite, tree, traces, failures, is_test)
    green = [_covered(traced, red=False) for traced in traces if traced.test in passed]
    blamed: dict[str, Blame] = {}
    for traced in traces:
        if traced.test in failing:
            failure = {traced.test: failures[traced.test]} if traced.test in failures else {}
            coverage = [_covered(traced, red=True), *green]
            blamed[traced.test] = most_suspicious(coverage, failure, sources, is_test)
    return blamed


def most_suspicious(
    coverage: Sequence[Covered],
    failures: Mapping[str, Failure],
    sources: Mapping[str, str],
    is_test: Callable[[str], bool],
) -> Blame:
    """Return the functions with the most suspicious lines. Code outside functions runs at import and is left out."""
    places = localise(coverage, failures, sources, is_test, most=_MOST_LINES)
    inside = [place for place in places if place.function != MODULE]
    highest = max((place.suspicion for place in inside), default=0.0)
    lines: dict[CodePlace, set[int]] = {}
    for place in inside:  # the most suspicious first, so a function enters with its most suspicious line
        function = CodePlace(place.path, place.function)
        close = _CLOSE_LINE if function in lines else _CLOSE
        if place.suspicion >= max(highest - close, _LEAST):
            lines.setdefault(function, set()).add(place.line)
    return {function: frozenset(numbers) for function, numbers in lines.items()}


def neighbours(failing: Sequence[str], passed: Collection[str]) -> list[str]:
    """Return passing tests to compare with: those in the same files first, then a sample of the others."""
    files = {test.partition("::")[0] for test in failing}
    near = sorted(test for test in passed if test.partition("::")[0] in files)
    far = sorted(set(passed).difference(near))
    room = max(_MOST_NEIGHBOURS - len(near), 0)
    stride = max(len(far) // room, 1) if room else 1
    return [*near[:_MOST_NEIGHBOURS], *far[::stride][: min(room, _MOST_FAR)]]


def traced_sources(
    suite: Suite,
    tree: str,
    traces: Iterable[TracedTest],
    failures: Mapping[str, Failure],
    is_test: Callable[[str], bool],
) -> dict[str, str]:
    """Return the text of every file of the project, tests excepted, that a test ran or a failure passed through."""
    paths = {path for traced in traces for path in traced.lines}
    paths |= {frame[0] for failure in failures.values() for frame in failure.frames}
    code = [path for path in paths if not is_test(path)]
    return {path: text.decode(errors="replace") for path, text in suite.git.read_all(tree, code).items()}


def _covered(traced: TracedTest, *, red: bool) -> Covered:
    return Covered(traced.test, red, traced.lines, traced.jumps)
