"""Which lines to suspect, from what each test ran and where the failing ones broke. Pure."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from whet.domain.place import Place
from whet.domain.suite import Failure

_MODULE = "<module>"
# How far a frame of a failure moves a line's suspicion towards 1: the innermost frame the most.
_INNERMOST = 0.5
_OUTER = 0.2
_NAMED_IN_TEST = 0.15


@dataclass(frozen=True, slots=True)
class Covered:
    """The lines one test ran, per path; `red` when it fails."""

    test: str
    red: bool
    lines: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class _Line:
    path: str
    number: int


def localise(
    coverage: Sequence[Covered],
    failures: Mapping[str, Failure],
    sources: Mapping[str, str],
    is_test: Callable[[str], bool],
    most: int = 100,
) -> tuple[Place, ...]:
    """At most `most` places, most suspicious first; only lines of `sources` that are not tests.

    The measure is Ochiai, raised by the failures' frames and by failing tests named after the function.
    Lines that no failing test ran and no failure passed through are left out.
    """
    failing = sum(covered.red for covered in coverage)
    red = _counts(covered for covered in coverage if covered.red)
    green = _counts(covered for covered in coverage if not covered.red)
    frames = _frames(failures, is_test)
    functions = {path: _functions(source) for path, source in sources.items() if not is_test(path)}
    tests = " ".join(failures) or " ".join(covered.test for covered in coverage if covered.red)
    places = []
    for line in {**red, **frames}:
        if line.path not in functions:
            continue
        function = _function_at(functions[line.path], line.number)
        ran_red, ran_green = red.get(line, 0), green.get(line, 0)
        suspicion = 0.9 * ran_red / sqrt(failing * (ran_red + ran_green)) if ran_red else 0.1
        for share in (frames.get(line, 0.0), _NAMED_IN_TEST if _named(function, tests) else 0.0):
            suspicion += (1 - suspicion) * share
        why = _why(ran_red, failing, ran_green, len(coverage) - failing, in_frame=line in frames)
        places.append(_place(line, function, suspicion, why))
    places.sort(key=lambda place: (-place.suspicion, place.path, place.line))
    return tuple(places[:most])


def _place(line: _Line, function: str, suspicion: float, why: str) -> Place:
    rounded = round(min(suspicion, 1.0), 4)
    return Place(path=line.path, line=line.number, function=function, suspicion=rounded, why=why)


def _counts(coverage: Iterator[Covered]) -> dict[_Line, int]:
    counts: dict[_Line, int] = {}
    for covered in coverage:
        for path, numbers in covered.lines.items():
            for number in numbers:
                line = _Line(path, number)
                counts[line] = counts.get(line, 0) + 1
    return counts


def _frames(failures: Mapping[str, Failure], is_test: Callable[[str], bool]) -> dict[_Line, float]:
    """Lines that the failures passed through -> how much that says."""
    shares: dict[_Line, float] = {}
    for failure in failures.values():
        inner = [_Line(path, line) for path, line, _ in failure.frames if not is_test(path)]
        for position, line in enumerate(reversed(inner)):
            share = _INNERMOST if position == 0 else _OUTER
            shares[line] = max(share, shares.get(line, 0.0))
    return shares


def _functions(source: str) -> list[tuple[int, int, str]]:
    """First line, last line and dotted name of every function, inner ones after outer ones."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    found: list[tuple[int, int, str]] = []

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    found.append((child.lineno, child.end_lineno or child.lineno, name))
                visit(child, f"{name}.")
            else:
                visit(child, prefix)

    visit(tree, "")
    return found


def _function_at(functions: list[tuple[int, int, str]], line: int) -> str:
    names = [name for first, last, name in functions if first <= line <= last]
    return names[-1] if names else _MODULE


def _named(function: str, tests: str) -> bool:
    name = function.rpartition(".")[2].strip("_")
    return len(name) > 2 and re.search(rf"(?<![a-zA-Z]){re.escape(name)}(?![a-zA-Z])", tests) is not None


def _why(ran_red: int, failing: int, ran_green: int, passing: int, *, in_frame: bool) -> str:
    if not ran_red:
        return "the failure passes through this line"
    said = f"run by {ran_red} of {failing} failing and {ran_green} of {passing} passing tests"
    return f"{said}; the failure passes through it" if in_frame else said
