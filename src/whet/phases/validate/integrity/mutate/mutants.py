"""Mutate the expectations of tests: every mutant must fail. If one passes, its assertions do not decide its outcome.

One assertion at a time is changed, because a failing assertion hides the ones after it. The test itself gets one of its
assertions changed under its own id, and copies of the test beside it get one of the others each.
"""

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from whet.phases.validate.integrity.mutate.assertions import AssertionMutator, called_name
from whet.phases.validate.integrity.mutate.identifiers import IdentifierGenerator
from whet.phases.validate.integrity.test_ids import functions
from whet.pyast.functions import Function

_EXCEPTIONS = [
    "IndexError", "NotImplementedError", "OverflowError", "RecursionError", "TimeoutError", "ZeroDivisionError",
]  # fmt: skip
_WARNINGS = ["BytesWarning", "ImportWarning", "ResourceWarning", "UnicodeWarning"]
_CONTEXTS_THAT_CATCH = ("suppress", "subTest", "subtests", "test")
# The function that returns a different value at run time, for expected values that are not literals. It is written into
# the test file under a generated name and runs under the target's interpreter.
_RUNTIME_HELPER = """
def {other}(value):
    import enum
    import numbers

    kind = type(value)
    kinds = value if kind is tuple and value else (value,)
    if all(isinstance(one, type) for one in kinds):
        names = ({warnings}) if any(issubclass(one, Warning) for one in kinds) else ({classes})
        apart = [one for one in names if not any(issubclass(one, kind) or issubclass(kind, one) for kind in kinds)]
        return apart[0] if apart else GeneratorExit
    if kind is bool:
        return not value
    if kind is str:
        return value[:-1] + ({letter!r} if value[-1:] != {letter!r} else "e")
    if kind is bytes:
        return value[:-1] + bytes([value[-1] ^ 1]) if value else {letter!r}.encode()
    if kind in (list, tuple):
        return kind([*value[:-1], {other}(value[-1])]) if value else kind([{number}])
    if kind is dict:
        last = list(value)[-1] if value else {letter!r}
        return {{**value, last: {other}(value.get(last))}}
    if kind in (set, frozenset):
        return kind(list(value)[1:]) if value else kind([{number}])
    if isinstance(value, enum.Enum):
        return next((one for one in kind if one != value), None)
    if isinstance(value, numbers.Number):
        return value + {number} if value + {number} != value else 0.5
    if hasattr(value, "dtype") and getattr(value, "size", 0):
        return value + {number}
    return {number} if value is None else None
"""
_random = random.SystemRandom()
_Body = list[ast.stmt]


@dataclass(frozen=True)
class Mutant:
    """A test in which one assertion expects another value.

    `name` is the name that the mutant has in the file, `test` the test it was made from, `lines` the lines of the changed
    assertion. `always_reached` is true if every test run that gets to its end executes that assertion.
    """

    test: str
    name: str
    lines: frozenset[int]
    always_reached: bool


@dataclass(frozen=True)
class MutatedFile:
    text: bytes
    mutants: tuple[Mutant, ...]


@dataclass(frozen=True)
class _Assertion:
    """A statement that can be mutated: its position in the function's body, and the statements that replace it.

    The position alternates between an index and the name of the block to descend into: (2, "body", 0).
    """

    position: tuple[int | str, ...]
    replacement: Sequence[ast.stmt]
    lines: frozenset[int]
    always_reached: bool


def mutate_tests(source: bytes, most_copies: Mapping[str, int]) -> MutatedFile | None:
    """Mutate the named tests of a file and add up to so many mutated copies of each; None if the file does not parse.

    A test without an assertion that is always reached keeps its own text; only its copies are mutated.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    identifiers = IdentifierGenerator(tree)
    helper = identifiers.function_name()
    mutator = AssertionMutator(tree, helper)
    mutants: list[Mutant] = []
    for name, node in [*functions(tree)]:
        if name in most_copies:
            assertions = [*_assertions(node.body, mutator)]
            mutants += _mutate_test(tree, name, node, assertions, most_copies[name], identifiers)
    place = _first_free_line(tree.body)
    tree.body[place:place] = ast.parse(_runtime_helper(helper)).body
    return MutatedFile(ast.unparse(ast.fix_missing_locations(tree)).encode(), tuple(mutants))


def _mutate_test(
    tree: ast.Module,
    name: str,
    node: Function,
    assertions: Sequence[_Assertion],
    most_copies: int,
    identifiers: IdentifierGenerator,
) -> Iterator[Mutant]:
    """Mutate a random always-reached assertion in the test itself, and one of the others in each copy."""
    reached = [assertion for assertion in assertions if assertion.always_reached]
    own = _random.choice(reached) if reached else None
    others = [assertion for assertion in assertions if assertion is not own]
    if len(others) > most_copies:
        others = _random.sample(others, most_copies)
    class_name = name.rpartition("::")[0]
    body = _body_of(tree, class_name)
    for assertion in others:
        copy = deepcopy(node)
        copy.name = identifiers.similar_to(node.name)
        _replace(copy.body, assertion)
        body.insert(body.index(node) + 1, copy)
        copy_name = f"{class_name}::{copy.name}" if class_name else copy.name
        yield Mutant(name, copy_name, assertion.lines, assertion.always_reached)
    if own:
        _replace(node.body, own)
        yield Mutant(name, name, own.lines, always_reached=True)


def _assertions(
    body: Sequence[ast.stmt],
    mutator: AssertionMutator,
    position: tuple[int | str, ...] = (),
    *,
    always_reached: bool = True,
) -> Iterator[_Assertion]:
    """Yield the assertions of a body, without those whose failure the test may catch itself.

    Nothing is certain to be reached after a statement that may return, nor in a branch or a loop.
    """
    for index, node in enumerate(body):
        here = (*position, index)
        if replacement := mutator.mutate(node):
            yield _Assertion(here, replacement, _head_lines(node), always_reached)
        elif isinstance(node, ast.With | ast.AsyncWith) and not _may_catch(node):
            yield from _assertions(node.body, mutator, (*here, "body"), always_reached=always_reached)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.If):
            for block in ("body", "orelse"):
                yield from _assertions(getattr(node, block), mutator, (*here, block), always_reached=False)
        if any(isinstance(inner, ast.Return) for inner in _walk_without_functions(node)):
            always_reached = False


def _replace(body: _Body, assertion: _Assertion) -> None:
    block: _Body = body
    *path, last = assertion.position
    for index, name in zip(path[::2], path[1::2], strict=True):
        block = getattr(block[int(index)], str(name))
    block[int(last) : int(last) + 1] = deepcopy(list(assertion.replacement))


def _body_of(tree: ast.Module, class_name: str) -> _Body:
    """Return the body of the class `Outer::Inner`, or of the module for an empty name."""
    body: _Body = tree.body
    for name in filter(None, class_name.split("::")):
        body = next(node.body for node in reversed(body) if isinstance(node, ast.ClassDef) and node.name == name)
    return body


def _head_lines(node: ast.stmt) -> frozenset[int]:
    """Return the lines of a statement; of a `with` block only the header."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else []
    last = max([item.context_expr.end_lineno or 0 for item in items], default=node.end_lineno or node.lineno)
    return frozenset(range(node.lineno, last + 1))


def _runtime_helper(name: str) -> str:
    exceptions = _random.sample(_EXCEPTIONS, len(_EXCEPTIONS))
    warnings = _random.sample(_WARNINGS, len(_WARNINGS))
    return _RUNTIME_HELPER.format(
        other=name,
        classes=", ".join(exceptions),
        warnings=", ".join(warnings),
        number=_random.choice((1, 2, 3)),
        letter=_random.choice("abcdstuv"),
    )


def _first_free_line(body: Sequence[ast.stmt]) -> int:
    """Return the index after the docstring and the `__future__` imports, which must come first."""
    place = 0
    for index, node in enumerate(body):
        is_docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            place = index + 1
    return place


def _may_catch(node: ast.With | ast.AsyncWith) -> bool:
    return any(called_name(item.context_expr) in _CONTEXTS_THAT_CATCH for item in node.items)


def _walk_without_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda):
            yield from _walk_without_functions(child)
