"""The targets must execute their assertions.

A test passes without asserting anything if it loops over an iterable that the patch has made empty.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import functions, split_id
from whet.pyast.functions import Function
from whet.target.tracer import TracedTest

NAME = "assertions reached"
OPEN = ("whether the targets reach their assertions",)
_Loop = ast.For | ast.AsyncFor | ast.While
_ASSERTING_CALLS = ("assert", "raises", "warns", "deprecated_call")


class ReachedAssertions(Safeguard):
    """Compares the lines that the targets ran, which the tracer saw, with their assertions."""

    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        base = subject.reports.base
        modules = subject.test_modules([test for test in subject.targets if not is_doctest(test, base)])
        tests = {(path, name): node for path, module in modules.items() for name, node in functions(module)}
        if not any(split_id(test) in tests for test in subject.targets):
            return without_run(not_applicable(NAME, "the target tests are not written as functions", OPEN))

        def judge(_: object, traces: Sequence[TracedTest]) -> SafeguardResult:
            passing = [traced for traced in traces if traced.outcome == "passed" and split_id(traced.test) in tests]
            for traced in passing:
                path, name = split_id(traced.test)
                lines = traced.lines.get(path, frozenset())
                if missed := unreached_assertions(tests[path, name], lines, helper_functions(modules[path])):
                    return inconclusive(NAME, f"{traced.test} passes without reaching {missed}")
            if not passing:
                return not_applicable(NAME, "the lines that the targets run could not be traced", OPEN)
            return passed(NAME, "the targets reach their assertions")

        return Examination(judge)


def unreached_assertions(test: Function, lines: Collection[int], helpers: Mapping[str, Function] | None = None) -> str:
    """Describe the assertions that a test which ran these lines did not reach; empty if it reached enough of them.

    It must reach any assertion at all, and those of each loop that it enters. The loops of the `helpers` that the test
    calls count as its own.
    """
    assertions = [node for node in ast.walk(test) if is_assertion(node)]
    if assertions and not any(_lines_of(node) & set(lines) for node in assertions):
        return "any of its assertions"
    called = {_called_name(node) for node in ast.walk(test) if isinstance(node, ast.Call)}
    called_helpers = [node for name, node in (helpers or {}).items() if name in called]
    for function in [test, *called_helpers]:
        for loop in _unconditional_loops(function.body):
            if loop.lineno in lines and _skips_its_assertions(loop, lines):
                owner = "its loop" if function is test else f"the loop of {function.name}"
                return f"the assertions of {owner} in line {loop.lineno}"
    return ""


def helper_functions(tree: ast.Module) -> dict[str, Function]:
    """Return the functions of a file and of its classes that are not tests, by name."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return {node.name: node for node in nodes if not node.name.startswith("test")}


def _skips_its_assertions(loop: _Loop, lines: Collection[int]) -> bool:
    """True if the loop has assertions, and ran neither one of them nor its first statement."""
    assertions = [node for statement in loop.body for node in ast.walk(statement) if is_assertion(node)]
    if not assertions:
        return False
    return not any(_lines_of(node) & set(lines) for node in [*assertions, loop.body[0]])


def _unconditional_loops(body: list[ast.stmt]) -> Iterator[_Loop]:
    """Yield the loops that every run of the test comes to: not those under a condition or in another loop."""
    for statement in body:
        if isinstance(statement, _Loop):
            yield statement
        elif isinstance(statement, ast.With | ast.AsyncWith):
            yield from _unconditional_loops(statement.body)


def is_assertion(node: ast.AST) -> bool:
    """True for an assertion that a passing test executes; `pytest.fail` and `assert False` are there to be avoided."""
    if isinstance(node, ast.Assert):
        return not (isinstance(node.test, ast.Constant) and not node.test.value)
    return isinstance(node, ast.Call) and _called_name(node).startswith(_ASSERTING_CALLS)


def _called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else str(getattr(node.func, "id", ""))


def _lines_of(node: ast.AST) -> set[int]:
    first = getattr(node, "lineno", 0)
    return set(range(first, (getattr(node, "end_lineno", first) or first) + 1))
