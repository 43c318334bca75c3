"""Rank the lines of the project by suspicion, from the lines that each test ran and the frames of the failures.

Pure functions: nothing is run or read here.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import NamedTuple, TypeVar

from whet.domain.place import Place
from whet.domain.suite import Failure

MODULE = "<module>"
_MOST = 0.9  # the most that coverage alone can add up to
Number = TypeVar("Number")
# How far a frame of a failure moves a line's suspicion towards 1: the innermost frame the most.
_INNERMOST = 0.5
_OUTER = 0.2
_NAMED_IN_TEST = 0.15
# A call with the wrong arguments, or the use of an attribute that is missing, fails outside of the function to change.
_NAMED_IN_ERROR = 0.5
_CALLED = re.compile(r"([\w.]+)\(\) (?:got|missing|takes) ")
_WITHOUT_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute ")
# A branch that only failing tests take makes its line suspicious too, but less than if only they ran the line.
_ONE_WAY = 0.6


@dataclass(frozen=True, slots=True)
class Covered:
    """The lines that one test ran and the jumps between them, by path. `red` means that the test fails."""

    test: str
    red: bool
    lines: Mapping[str, frozenset[int]]
    jumps: Mapping[str, frozenset[tuple[int, int]]] = field(default_factory=dict)


class _Line(NamedTuple):
    path: str
    number: int


def localise(
    coverage: Sequence[Covered],
    failures: Mapping[str, Failure],
    sources: Mapping[str, str],
    is_test: Callable[[str], bool],
    most: int = 100,
) -> tuple[Place, ...]:
    """Return at most `most` places, most suspicious first: lines of `sources` that are not in tests.

    The measure is Ochiai, of a line or of the branches taken from it, raised if a failure's traceback contains the line
    or a failing test is named after the function. Lines that no failing test ran and no traceback contains are left
    out.
    """
    failing = sum(covered.red for covered in coverage)
    red, green = (_counts(covered.lines for covered in coverage if covered.red is fails) for fails in (True, False))
    by_branch = _branch_suspicion(coverage, failing)
    frames = _frames(failures, is_test)
    functions = {path: _functions(source) for path, source in sources.items() if not is_test(path)}
    named = _named_in_errors(failures.values(), functions)
    tests = " ".join(failures) or " ".join(covered.test for covered in coverage if covered.red)
    places = []
    for line in map(_Line._make, dict.fromkeys([*red, *frames, *named])):
        if line.path not in functions:
            continue
        function = _function_at(functions[line.path], line.number)
        ran_red, ran_green = red[line], green[line]
        suspicion = max(_MOST * _ochiai(ran_red, ran_green, failing), by_branch.get(line, 0.0)) if ran_red else 0.1
        for share in (
            frames.get(line, 0.0),
            _NAMED_IN_ERROR if line in named else 0.0,
            _NAMED_IN_TEST if _named(function, tests) else 0.0,
        ):
            suspicion += (1 - suspicion) * share
        why = _why(ran_red, failing, ran_green, len(coverage) - failing, in_frame=line in frames)
        places.append(_place(line, function, suspicion, why))
    places.sort(key=lambda place: (-place.suspicion, place.path, place.line))
    return tuple(places[:most])


def _place(line: _Line, function: str, suspicion: float, why: str) -> Place:
    rounded = round(min(suspicion, 1.0), 4)
    return Place(path=line.path, line=line.number, function=function, suspicion=rounded, why=why)


def _ochiai(red: int, green: int, failing: int) -> float:
    return red / sqrt(failing * (red + green)) if red else 0.0


def _counts(per_test: Iterable[Mapping[str, frozenset[Number]]]) -> Counter[tuple[str, Number]]:
    """Count how many tests ran each line, or jumped from one line to another."""
    return Counter((path, number) for by_path in per_test for path, numbers in by_path.items() for number in numbers)


def _branch_suspicion(coverage: Sequence[Covered], failing: int) -> dict[_Line, float]:
    """Return the suspicion of a line by the jumps that leave it, if there are several."""
    red, green = (_counts(covered.jumps for covered in coverage if covered.red is fails) for fails in (True, False))
    leading_on = Counter(_Line(path, here) for path, (here, _) in {*red, *green})
    suspicions: dict[_Line, float] = {}
    for (path, (here, there)), ran in red.items():
        line = _Line(path, here)
        if leading_on[line] > 1:
            suspicion = _MOST * _ONE_WAY * _ochiai(ran, green[path, (here, there)], failing)
            suspicions[line] = max(suspicion, suspicions.get(line, 0.0))
    return suspicions


def _frames(failures: Mapping[str, Failure], is_test: Callable[[str], bool]) -> dict[_Line, float]:
    """Map each line that a failure passed through to its weight."""
    shares: dict[_Line, float] = {}
    for failure in failures.values():
        inner = [_Line(path, line) for path, line, _ in failure.frames if not is_test(path)]
        for position, line in enumerate(reversed(inner)):
            share = _INNERMOST if position == 0 else _OUTER
            shares[line] = max(share, shares.get(line, 0.0))
    return shares


def _named_in_errors(
    failures: Iterable[Failure], functions: Mapping[str, Sequence[tuple[int, int, str]]]
) -> dict[_Line, None]:
    """Return the lines of functions that an error says were called wrongly, and of `__init__` without an attribute."""
    wrong: set[str] = set()
    for failure in failures:
        if failure.exception == "TypeError":
            wrong.update(_CALLED.findall(failure.message))
        elif failure.exception == "AttributeError":
            wrong.update(f"{name}.__init__" for name in _WITHOUT_ATTRIBUTE.findall(failure.message))
    return {
        _Line(path, line): None
        for path, known in functions.items()
        for first, last, name in known
        if any(f".{name}".endswith(f".{suffix}") for suffix in wrong)
        for line in range(first, last + 1)
    }


@lru_cache(maxsize=512)
def _functions(source: str) -> list[tuple[int, int, str]]:
    """Return first line, last line and dotted name of every function, inner functions after outer ones."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    functions: list[tuple[int, int, str]] = []

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    functions.append((child.lineno, child.end_lineno or child.lineno, name))
                visit(child, f"{name}.")
            else:
                visit(child, prefix)

    visit(tree, "")
    return functions


def _function_at(functions: list[tuple[int, int, str]], line: int) -> str:
    names = [name for first, last, name in functions if first <= line <= last]
    return names[-1] if names else MODULE


def _named(function: str, tests: str) -> bool:
    name = function.rpartition(".")[2].strip("_")
    return len(name) > 2 and re.search(rf"(?<![a-zA-Z]){re.escape(name)}(?![a-zA-Z])", tests) is not None


def _why(ran_red: int, failing: int, ran_green: int, passing: int, *, in_frame: bool) -> str:
    if not ran_red:
        return "the failure passes through this line" if in_frame else "the error names this function"
    counts = f"run by {ran_red} of {failing} failing and {ran_green} of {passing} passing tests"
    return f"{counts}; the failure passes through it" if in_frame else counts
