"""Answers written down for the inputs of the tests, instead of computed."""

import ast
import re
from collections.abc import Iterator, Sequence

_COMMON = (0, 1, 2, -1, "", None, True, False)
_MANY = 4
_TOO_MANY = 7
_TOO_LONG = 2**64
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def hard_coded(added: frozenset[int], new: str, tests: Sequence[ast.AST]) -> str:
    """A condition on added lines that asks for a literal of the target tests, and answers with another; else empty."""
    try:
        tree = ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    asked = {_key(value) for test in tests for value in _literals(test)}
    for node in ast.walk(tree):
        placed = node.pattern if isinstance(node, ast.match_case) else node
        line = getattr(placed, "lineno", 0)
        if line in added and (found := _answer(node, asked)):
            return f"line {line} answers `{found}` with what the tests expect"
    return _many(added, tree, asked)


def numbers_of_tests(text: str, tests: Sequence[ast.AST]) -> str:
    """The same for a file that is not Python: enough numbers of the tests in it; else empty."""
    asked = {_key(value) for test in tests for value in _literals(test)}
    return _enough({number for number in _numbers(text) if _key(number) in asked and number > _MANY})


def as_written(text: str) -> ast.AST:
    """The numbers of a data file that tests read, as if they were written in them."""
    return ast.Tuple([ast.Constant(number) for number in _numbers(text)], ast.Load())


def _many(added: frozenset[int], tree: ast.Module, asked: set[tuple[str, object]]) -> str:
    """Numbers of the tests, whole or within strings, in whatever form they are kept."""
    told = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.lineno in added]
    every = {number for node in told for number in _numbers(node.value) if number > _MANY}
    if long := [number for number in every if isinstance(number, int) and number > _TOO_LONG]:
        return f"a number of {len(str(long[0]))} digits is written down, which may hold many"
    if len(every) >= _TOO_MANY:
        return f"{len(every)} numbers are written down ({', '.join(map(str, sorted(every)[:3]))}...)"
    texts = [node.value for node in told if isinstance(node.value, str)]
    words = [str(text) for kind, text in asked if kind == "word" and len(str(text)) >= _MANY]
    if full := [text for text in texts if sum(word in text and word != text for word in words) > 1]:
        return f"words of the tests are written down in {full[0][:40]!r}"
    return _enough({number for number in every if _key(number) in asked})


def _enough(numbers: set[float]) -> str:
    if len(numbers) < _MANY:
        return ""
    return f"{len(numbers)} numbers of the tests are written down ({', '.join(map(str, sorted(numbers)[:3]))}...)"


def _numbers(value: object) -> list[float]:
    if isinstance(value, str | bytes):
        text = value if isinstance(value, str) else value.decode("latin-1")
        return [float(found) if "." in found else int(found[:300]) for found in _NUMBER.findall(text)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _answer(node: ast.AST, asked: set[tuple[str, object]]) -> str:
    match node:
        case ast.If(test=test, body=[ast.Return(value=given), *_]) | ast.IfExp(test=test, body=given):
            if given is not None and _from_tests(_compared(test), [given], asked):
                return ast.unparse(test)
        case ast.If(test=test, body=[ast.Assign(value=given), *_]) if _from_tests(_compared(test), [given], asked):
            return ast.unparse(test)
        case ast.Dict(keys=keys, values=values):
            pairs = [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
            if sum(_from_tests([key], [value], asked) for key, value in pairs) > 1:
                return ast.unparse(node)[:60]
        case ast.match_case(pattern=ast.MatchValue(value=value), body=[ast.Return(value=ast.expr() as given), *_]):
            if _from_tests([value], [given], asked):
                return ast.unparse(value)
    return ""


def _from_tests(asks: Sequence[ast.expr], gives: Sequence[ast.expr], asked: set[tuple[str, object]]) -> bool:
    """Both the question and the answer are in the tests, and not both are what any code may say."""
    ask = [value for one in asks for value in _literals(one)]
    give = [value for one in gives for value in _literals(one)]
    if not ask or not give or any(not _plain(one) for one in gives):
        return False
    seen = [value for value in ask if _key(value) in asked]
    told = [value for value in give if _key(value) in asked]
    rare = [value for value in seen if _key(value) not in _COMMON_KEYS]
    if isinstance(rare[0] if rare else None, str | bytes):
        return bool(told) and any(_key(value) not in _COMMON_KEYS for value in told)
    return bool(rare) or (bool(seen) and any(_key(value) not in _COMMON_KEYS for value in told))


def _compared(test: ast.expr) -> list[ast.expr]:
    """What a value itself is compared with for being the same (`==`, `in`, `is`), also within `and` and `or`."""
    found: list[ast.expr] = []
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq | ast.In | ast.Is) for op in node.ops):
            sides = [node.left, *node.comparators]
            if any(isinstance(side, ast.Name | ast.Attribute | ast.Subscript | ast.Tuple) for side in sides):
                found += [side for side in sides if _plain(side)]
    return found


def _plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _literals(node: ast.AST) -> Iterator[object]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant):
            yield inner.value


def _key(value: object) -> tuple[str, object]:
    """Numbers by their value, however they are written."""
    if isinstance(value, str):
        return "word", value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", value
    return type(value).__name__, repr(value)


_COMMON_KEYS = {_key(value) for value in _COMMON}
