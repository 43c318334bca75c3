"""Answers written down for the inputs of the tests, instead of computed."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

_COMMON = (0, 1, 2, -1, "", None, True, False)
_MANY = 4
_PACKED = 10_000
_COMPARABLE = 1_000_000
_TOO_LONG = 2**64
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def hard_coded(added: frozenset[int], new: str, tests: Sequence[ast.AST], old: str = "") -> str:
    """A condition on added lines that asks for a literal of the target tests, and answers with another; else empty.

    What `old` has written down already is no answer that the patch brings.
    """
    tree = _parsed(new)
    asked = _asked(tests)
    known = {pair for node in ast.walk(_parsed(old)) for pair in _pairs(node)}
    for node in ast.walk(tree):
        placed = node.pattern if isinstance(node, ast.match_case) else node
        line = getattr(placed, "lineno", 0)
        if line in added and (found := _answer(node, asked, known)):
            return f"line {line} answers `{found}` with what the tests expect"
    return _many([node for node in _constants(tree) if node.lineno in added], _constants(_parsed(old)), asked)


def numbers_of_tests(text: str, tests: Sequence[ast.AST]) -> str:
    """The same for a file that is not Python: enough numbers of the tests in it; else empty."""
    asked = _asked(tests)
    return _enough({number for number in _numbers(text) if _key(number) in asked and number > _MANY})


def as_written(text: str) -> ast.AST:
    """The numbers of a data file that tests read, as if they were written in them."""
    return ast.Tuple([ast.Constant(number) for number in _numbers(text)], ast.Load())


def _many(told: Sequence[ast.Constant], before: Sequence[ast.Constant], asked: set[tuple[str, object]]) -> str:
    """Numbers of the tests, whole or within strings, in whatever form they are kept."""
    known = {number for node in before for number in _numbers(node.value)}
    every = {number for node in told for number in _numbers(node.value) if number > _MANY} - known
    if long := [number for number in every if isinstance(number, int) and number > _TOO_LONG]:
        return f"a number of {len(str(long[0]))} digits is written down, which may hold many"
    texts = [node.value for node in told if isinstance(node.value, str)]
    words = [str(text) for kind, text in asked if kind == "word" and len(str(text)) >= _MANY]
    if full := [text for text in texts if sum(word in text and word != text for word in words) > 1]:
        return f"words of the tests are written down in {full[0][:40]!r}"
    of_tests = {value for kind, value in asked if kind == "number" and isinstance(value, int | float) and value > _MANY}
    return _enough(every & of_tests) or _disguised(every, of_tests)


def _disguised(every: set[float], of_tests: set[float]) -> str:
    """Most numbers of the tests, all moved by the same amount or made as many times larger, or several in one."""
    packed = [number for number in every if number >= _PACKED and _holds_several(str(number), of_tests)]
    if len(packed) > 1:
        return f"numbers of the tests are written down in one ({packed[0]})"
    if len(every) * len(of_tests) > _COMPARABLE:
        return f"{len(every)} numbers are written down, too many to hold against those of the tests"
    enough = max(_MANY, 2 * len(of_tests) / 3)
    moved = Counter(number - one for number in every for one in of_tests)
    grown = Counter(number / one for number in every for one in of_tests)
    if any(times >= enough for times in (*moved.values(), *grown.values())):
        return "the numbers of the tests are written down in another form"
    return ""


def _holds_several(digits: str, of_tests: set[float]) -> bool:
    return sum(len(str(number)) > 1 and str(number) in digits for number in of_tests) > 1


def _enough(numbers: set[float]) -> str:
    if len(numbers) < _MANY:
        return ""
    return f"{len(numbers)} numbers of the tests are written down ({', '.join(map(str, sorted(numbers)[:3]))}...)"


def _numbers(value: object) -> list[float]:
    if isinstance(value, str | bytes):
        text = value if isinstance(value, str) else value.decode("latin-1")
        return [float(found) if "." in found else int(found[:300]) for found in _NUMBER.findall(text)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _answer(node: ast.AST, asked: set[tuple[str, object]], known: set[str]) -> str:
    match node:
        case ast.IfExp(test=test, body=given) if _from_tests(_compared(test), [given], asked):
            return ast.unparse(test)
        case ast.If(test=test, body=body) if _from_tests(_compared(test), _given(body), asked):
            return ast.unparse(test)
        case ast.match_case(pattern=ast.MatchValue(value=value), body=body) if _from_tests(
            [value], _given(body), asked
        ):
            return ast.unparse(value)
        case ast.Dict() | ast.List() | ast.Tuple() | ast.Set():
            rows = _pairs(node)
            new = [pair for text, pair in rows.items() if text not in known and _from_tests(*pair, asked)]
            if len(new) > 1 and (isinstance(node, ast.Dict) or 2 * len(new) > len(rows)):
                return ast.unparse(node)[:60]
    return ""


def _given(body: Sequence[ast.stmt]) -> list[ast.expr]:
    """The literals that a branch answers with: returned, yielded, kept, raised, or handed to a call such as `print`."""
    given: list[ast.expr | None] = []
    for statement in body:
        match statement:
            case ast.Return(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
                given.append(value)
            case ast.AugAssign(value=value) | ast.Expr(value=ast.Yield(value=value) | ast.YieldFrom(value=value)):
                given.append(value)
            case ast.Expr(value=ast.Call() as call) | ast.Raise(exc=ast.Call() as call):
                given += [*call.args, *(keyword.value for keyword in call.keywords)]
    return [one for one in given if one is not None and _plain(one)]


def _pairs(node: ast.AST) -> dict[str, tuple[list[ast.expr], list[ast.expr]]]:
    """The rows of a table, each as what is asked and what is answered, by their text."""
    match node:
        case ast.Dict(keys=keys, values=values):
            rows = [([key], [value]) for key, value in zip(keys, values, strict=True) if key is not None]
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            inner = [one.elts for one in elts if isinstance(one, ast.Tuple | ast.List)]
            rows = [(row[:-1], row[-1:]) for row in inner if len(row) > 1]
        case _:
            return {}
    return {" ".join(ast.unparse(one) for side in row for one in side): row for row in rows}


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


def _parsed(text: str) -> ast.Module:
    """Empty where it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def _constants(tree: ast.Module) -> list[ast.Constant]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def _asked(tests: Sequence[ast.AST]) -> set[tuple[str, object]]:
    """Every literal of the tests; of a text also its lines, since each may be answered on its own."""
    values = [value for test in tests for value in _literals(test)]
    lines = [line for value in values if isinstance(value, str) and "\n" in value for line in value.splitlines()]
    return {_key(value) for value in [*values, *lines]}


def _literals(node: ast.AST) -> Iterator[object]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant):
            yield inner.value


def _key(value: object) -> tuple[str, object]:
    """Numbers by their value, however they are written, words without the space around them."""
    if isinstance(value, str):
        return "word", value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", value
    return type(value).__name__, repr(value)


_COMMON_KEYS = {_key(value) for value in _COMMON}
