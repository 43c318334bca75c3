"""Tell the symptom of a failure from its cause: a function that raises because its caller passed it a wrong value."""

from collections.abc import Callable, Iterable, Sequence

from whet.domain.place import Place
from whet.domain.suite import Failure

Line = tuple[str, int]

TOLERANT = frozenset({"guard", "optional", "attempt", "exception", "presence", "coercion"})
"""Templates whose edits put up with an unexpected value instead of computing another one."""


def symptom_lines(
    failures: Iterable[Failure], places: Sequence[Place], is_test: Callable[[str], bool]
) -> frozenset[Line]:
    """Return the suspicious lines of functions that only show the failure, as path and line.

    A function shows a failure if it is innermost on the stack and its direct caller in the project is more suspicious:
    then passing tests run the function, and not the caller, or not in this way.
    """
    by_line = {(place.path, place.line): place for place in places}
    highest: dict[tuple[str, str], float] = {}
    for place in places:
        function = place.path, place.function
        highest[function] = max(place.suspicion, highest.get(function, 0.0))
    symptoms: set[tuple[str, str]] = set()
    for failure in failures:
        frames = [by_line.get((path, line)) for path, line, _ in failure.frames if not is_test(path)][-2:]
        caller, inner = frames if len(frames) == 2 else (None, None)
        if caller and inner and highest[caller.path, caller.function] > highest[inner.path, inner.function]:
            symptoms.add((inner.path, inner.function))
    return frozenset((place.path, place.line) for place in places if (place.path, place.function) in symptoms)
