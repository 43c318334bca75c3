"""Hints about the fault that the failing tests give. They order the search and never decide it."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whet.domain.suite import Failure

_COMPARED = re.compile(r"assert (.+?) (==|is|!=|<=|>=|<|>|in) (.+)")
_UNEQUAL = re.compile(r"^(.+?) != (.+)$", re.MULTILINE)
_NOT_RAISED = re.compile(r"DID NOT RAISE.*?(\w+)'?>?$", re.MULTILINE)


_MOST_EXPECTED = 3


@dataclass(frozen=True, slots=True)
class Hints:
    """Facts read from the failures and from the source of the failing tests.

    `expected`, `actual` and `constants` are literals as source text. `raises` are the exceptions that the tests expect.
    `names` are the names that the tests mention, attributes with their owner. `symptoms` are lines, by path and number,
    where a failure shows and probably does not come from.
    """

    exceptions: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    actual: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    symptoms: frozenset[tuple[str, int]] = frozenset()

    def mention(self, *words: str) -> bool:
        """True if some failure message contains one of the words."""
        return any(word in message for message in self.messages for word in words)


def read_hints(failures: Mapping[str, Failure], sources: Mapping[str, str]) -> Hints:
    """Return the hints in the failures (by test id) and in the test files (`sources`: path -> source)."""
    actual, expected, constants, raises, names = [], [], [], [], []
    for failure in failures.values():
        for left, right in _compared(failure):
            actual.append(left)
            expected.append(right)
        raises += _NOT_RAISED.findall(failure.message)
    for test in failures:
        for node in _test_nodes(test, sources):
            if isinstance(node, ast.Assert):
                expected += _expected(node.test)
            elif isinstance(node, ast.With | ast.AsyncWith):
                raises += _raised(node)
            elif _is_literal(node):
                constants.append(ast.unparse(node))
            elif isinstance(node, ast.Name | ast.Attribute):
                names.append(ast.unparse(node))
    return Hints(
        exceptions=_unique(failure.exception.rpartition(".")[2] for failure in failures.values()),
        messages=_unique(failure.message for failure in failures.values()),
        expected=_unique(expected),
        actual=_unique(actual),
        constants=_unique(constants),
        raises=_unique(raises),
        names=_unique(names),
    )


def expected_values(failures: Mapping[str, Failure], sources: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return, by failing test, the literals that a function under test may have to return, the likeliest first."""
    values: dict[str, tuple[str, ...]] = {}
    for test, failure in failures.items():
        texts = [text for actual, expected in _compared(failure) for text in (expected, actual)]
        for node in _test_nodes(test, sources):
            if isinstance(node, ast.Assert):
                texts += _expected(node.test)
        values[test] = _unique(texts)[:_MOST_EXPECTED]
    return values


def template_boosts(hints: Hints) -> dict[str, float]:
    """Return, by template name, the factor by which these failures raise its likelihood."""
    factors: dict[str, float] = {}

    def raise_to(factor: float, *templates: str) -> None:
        for template in templates:
            factors[template] = max(factor, factors.get(template, 1.0))

    for exception in hints.exceptions:
        for names, factor, templates in _BY_EXCEPTION:
            if exception in names:
                raise_to(factor, *templates)
    if hints.mention("NoneType"):
        raise_to(2.0, "guard", "missing_return", "optional")
    if hints.raises:
        raise_to(2.2, "guard", "exception")
    for left, right in zip(hints.actual, hints.expected, strict=False):
        for factor, template in _by_difference(_value(left), _value(right)):
            raise_to(factor, template)
    return factors


_BY_EXCEPTION: tuple[tuple[tuple[str, ...], float, tuple[str, ...]], ...] = (
    (("ZeroDivisionError",), 2.2, ("guard", "optional")),
    (("ZeroDivisionError",), 1.3, ("off_by_one", "argument_order")),
    (("KeyError",), 2.0, ("guard", "optional", "lookup", "exception")),
    (("IndexError",), 1.8, ("guard", "off_by_one", "subscript", "comparison", "exception")),
    (("NameError", "UnboundLocalError"), 2.0, ("variable", "assignment", "movement")),
    (("AttributeError",), 1.8, ("attribute", "guard", "optional")),
    (("TypeError",), 1.6, ("coercion", "argument_order", "optional", "missing_return", "attribute")),
    (("RecursionError",), 2.0, ("base_case", "argument_order", "off_by_one", "comparison")),
    (("StopIteration", "ValueError", "StatisticsError"), 1.7, ("guard", "exception", "optional")),
)


def _by_difference(actual: object, expected: object) -> Iterator[tuple[float, str]]:
    """Yield (factor, template) for the kinds of bugs that usually turn `expected` into `actual`."""
    if actual is None and expected is not None:
        yield 2.0, "missing_return"
        yield 1.5, "guard"
    if isinstance(actual, bool) and isinstance(expected, bool):
        yield 1.4, "comparison"
        yield 1.4, "boolean"
    elif isinstance(actual, int | float) and isinstance(expected, int | float):
        if abs(actual - expected) == 1:
            yield 1.5, "off_by_one"
        if actual == -expected:
            yield 1.5, "argument_order"
    if isinstance(actual, str | list | tuple) and isinstance(expected, str | list | tuple):
        if abs(len(actual) - len(expected)) == 1:
            yield 1.4, "off_by_one"
            yield 1.4, "subscript"
        if sorted(map(repr, actual)) == sorted(map(repr, expected)):
            yield 1.5, "argument_order"
            yield 1.4, "boolean"
            yield 1.4, "coercion"


def _compared(failure: Failure) -> Iterator[tuple[str, str]]:
    """Yield (actual, expected) of a failed comparison: as pytest reports them, else as the message shows them."""
    pairs = [failure.compared] if all(failure.compared) else []
    if compared := _COMPARED.search(failure.message):
        pairs.append((compared[1], compared[3]))
    if unequal := _UNEQUAL.search(failure.message):
        pairs.append((unequal[1], unequal[2]))
    for pair in pairs:
        left, right = (text.strip() for text in pair) if len(pair) == 2 else ("", "")
        if _parses_as_literal(left) and _parses_as_literal(right):
            yield left, right
            return


def _expected(test: ast.expr) -> Iterator[str]:
    if isinstance(test, ast.Compare):
        for side in (test.left, *test.comparators):
            if _parses_as_literal(ast.unparse(side)):
                yield ast.unparse(side)


def _raised(node: ast.With | ast.AsyncWith) -> Iterator[str]:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(("raises", "assertRaises")):
            for argument in call.args[:1]:
                names = argument.elts if isinstance(argument, ast.Tuple) else [argument]
                yield from (name.id for name in names if isinstance(name, ast.Name))


def _test_nodes(test: str, sources: Mapping[str, str]) -> Iterator[ast.AST]:
    """Yield every node of the test function that an id such as `tests/test_x.py::TestA::test_b[1]` names."""
    path, *names = test.partition("[")[0].split("::")
    if path not in sources or not names:
        return
    try:
        tree = ast.parse(sources[path])
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == names[-1]:
            yield from ast.walk(node)


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, bytes | complex)


def _parses_as_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def _value(text: str) -> object:
    value: object = ast.literal_eval(text)
    return value


def _unique(items: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
