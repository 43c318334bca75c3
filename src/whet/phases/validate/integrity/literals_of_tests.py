"""Find literals of the target tests in the lines that a patch adds: answers that are written down, not computed."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from whet.pyast.bindings import is_literal

_Key = tuple[str, object]
_COMMON = (0, 1, 2, -1, "", None, True, False)
_FEW = 4  # numbers up to 4 are too common to count, and fewer than 4 matches are a coincidence
_SMALLEST_PACKED = 10_000
_MOST_COMPARISONS = 1_000_000
_LARGEST_NUMBER = 2**64
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def find_hard_coded(added: frozenset[int], new: str, tests: Sequence[ast.AST], old: str = "") -> str:
    """Describe the first added code that answers an input of the tests with a literal of the tests; else empty.

    `added` are the numbers of the added lines of `new`. Literals that `old` contains already are not reported.
    """
    tree = _parse(new)
    literals = _literals_of(tests)
    old_rows = {row for node in ast.walk(_parse(old)) for row in _table_rows(node)}
    for node in ast.walk(tree):
        placed = node.pattern if isinstance(node, ast.match_case) else node  # a match_case has no line of its own
        line = getattr(placed, "lineno", 0)
        if line in added and (input_text := _answered_input(node, literals, old_rows)):
            return f"line {line} answers `{input_text}` with what the tests expect"
    added_constants = [node for node in _constants(tree) if node.lineno in added]
    return _find_many(added_constants, _constants(_parse(old)), literals)


def find_numbers(text: str, tests: Sequence[ast.AST]) -> str:
    """Describe numbers of the tests that a data file contains; empty if there are too few of them."""
    literals = _literals_of(tests)
    return _describe_many({number for number in _numbers(text) if _key(number) in literals and number > _FEW})


def numbers_as_code(text: str) -> ast.AST:
    """Return the numbers of a data file that tests read, as if they were literals of the tests."""
    return ast.Tuple([ast.Constant(number) for number in _numbers(text)], ast.Load())


# ---- one condition or table ------------------------------------------------------------------------------------


def _answered_input(node: ast.AST, literals: set[_Key], old_rows: set[str]) -> str:
    """Return the input that this node answers with literals of the tests; else empty."""
    match node:
        case ast.IfExp(test=test, body=value) if _is_answer(_compared_literals(test), [value], literals):
            return ast.unparse(test)
        case ast.If(test=test, body=body) if _is_answer(_compared_literals(test), _results(body), literals):
            return ast.unparse(test)
        case ast.match_case(pattern=ast.MatchValue(value=value), body=body) if _is_answer(
            [value], _results(body), literals
        ):
            return ast.unparse(value)
        case ast.Dict() | ast.List() | ast.Tuple() | ast.Set():
            rows = _table_rows(node)
            new = [row for text, row in rows.items() if text not in old_rows and _is_answer(*row, literals)]
            # A sequence may hold a few rows by chance, so most of its rows must come from the tests.
            if len(new) > 1 and (isinstance(node, ast.Dict) or 2 * len(new) > len(rows)):
                return ast.unparse(node)[:60]
    return ""


def _results(body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Return the literals that a branch returns, yields, stores, raises or passes to a call such as `print`."""
    values: list[ast.expr | None] = []
    for statement in body:
        match statement:
            case ast.Return(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
                values.append(value)
            case ast.AugAssign(value=value) | ast.Expr(value=ast.Yield(value=value) | ast.YieldFrom(value=value)):
                values.append(value)
            case ast.Expr(value=ast.Call() as call) | ast.Raise(exc=ast.Call() as call):
                values += [*call.args, *(keyword.value for keyword in call.keywords)]
    return [value for value in values if value is not None and is_literal(value)]


def _table_rows(node: ast.AST) -> dict[str, tuple[list[ast.expr], list[ast.expr]]]:
    """Return the rows of a table as (inputs, answers), by their text; the last item of a sequence is its answer."""
    match node:
        case ast.Dict(keys=keys, values=values):
            rows = [([key], [value]) for key, value in zip(keys, values, strict=True) if key is not None]
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            nested = [item.elts for item in items if isinstance(item, ast.Tuple | ast.List)]
            rows = [(row[:-1], row[-1:]) for row in nested if len(row) > 1]
        case _:
            return {}
    return {" ".join(ast.unparse(part) for side in row for part in side): row for row in rows}


def _is_answer(inputs: Sequence[ast.expr], answers: Sequence[ast.expr], literals: set[_Key]) -> bool:
    """True if an input of the tests is answered with a literal.

    An uncommon number as the input is enough. If the input is a text or a common value (0, 1, True), the answer must be
    an uncommon literal of the tests too, because ordinary code branches on words and small numbers.
    """
    input_values = [value for node in inputs for value in _literals(node)]
    answer_values = [value for node in answers for value in _literals(node)]
    if not input_values or not answer_values or not all(map(is_literal, answers)):
        return False
    input_keys = [_key(value) for value in input_values if _key(value) in literals]
    answer_keys = [_key(value) for value in answer_values if _key(value) in literals]
    uncommon_answer = any(key not in _COMMON_KEYS for key in answer_keys)
    uncommon_inputs = [value for value in input_values if _key(value) in literals and _key(value) not in _COMMON_KEYS]
    if uncommon_inputs and isinstance(uncommon_inputs[0], str | bytes):
        return uncommon_answer
    return bool(uncommon_inputs) or (bool(input_keys) and uncommon_answer)


def _compared_literals(test: ast.expr) -> list[ast.expr]:
    """Return the literals that a variable is compared with by `==`, `in` or `is`, also within `and` and `or`."""
    literals: list[ast.expr] = []
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq | ast.In | ast.Is) for op in node.ops):
            sides = [node.left, *node.comparators]
            if any(isinstance(side, ast.Name | ast.Attribute | ast.Subscript | ast.Tuple) for side in sides):
                literals += [side for side in sides if is_literal(side)]
    return literals


# ---- many literals in any form ---------------------------------------------------------------------------------


def _find_many(added: Sequence[ast.Constant], old: Sequence[ast.Constant], literals: set[_Key]) -> str:
    """Describe added constants that together hold many numbers or words of the tests; else empty."""
    old_numbers = {number for node in old for number in _numbers(node.value)}
    numbers = {number for node in added for number in _numbers(node.value) if number > _FEW} - old_numbers
    for number in numbers:
        if isinstance(number, int) and number > _LARGEST_NUMBER:
            return f"a number of {len(str(number))} digits is written down, which may hold many answers"
    words = [str(value) for kind, value in literals if kind == "word" and len(str(value)) >= _FEW]
    for node in added:
        text = node.value
        if isinstance(text, str) and sum(word in text and word != text for word in words) > 1:
            return f"words of the tests are written down in {text[:40]!r}"
    test_numbers = {
        value
        for kind, value in literals
        if kind == "number" and isinstance(value, int | float) and value > _FEW
    }  # fmt: skip
    return _describe_many(numbers & test_numbers) or _find_disguised(numbers, test_numbers)


def _find_disguised(numbers: set[float], test_numbers: set[float]) -> str:
    """Describe numbers of the tests that are packed into larger ones, all shifted, or all scaled; else empty."""
    packed = [number for number in numbers if number >= _SMALLEST_PACKED and _holds_several(str(number), test_numbers)]
    if len(packed) > 1:
        return f"numbers of the tests are packed into one ({packed[0]})"
    if len(numbers) * len(test_numbers) > _MOST_COMPARISONS:
        return f"{len(numbers)} numbers are written down, too many to compare with those of the tests"
    enough = max(_FEW, 2 * len(test_numbers) / 3)
    shifts = Counter(number - test_number for number in numbers for test_number in test_numbers)
    factors = Counter(number / test_number for number in numbers for test_number in test_numbers)
    if any(count >= enough for count in (*shifts.values(), *factors.values())):
        return "the numbers of the tests are written down in another form"
    return ""


def _holds_several(digits: str, test_numbers: set[float]) -> bool:
    return sum(len(str(number)) > 1 and str(number) in digits for number in test_numbers) > 1


def _describe_many(numbers: set[float]) -> str:
    if len(numbers) < _FEW:
        return ""
    return f"{len(numbers)} numbers of the tests are written down ({', '.join(map(str, sorted(numbers)[:3]))}...)"


def _numbers(value: object) -> list[float]:
    """Return the number, or the numbers within a text."""
    if isinstance(value, str | bytes):
        text = value if isinstance(value, str) else value.decode("latin-1")
        # `int` refuses texts of thousands of digits, so only the first 300 are read.
        return [float(match) if "." in match else int(match[:300]) for match in _NUMBER.findall(text)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


# ---- literals ---------------------------------------------------------------------------------------------------


def _literals_of(tests: Sequence[ast.AST]) -> set[_Key]:
    """Return every literal of the tests, and each line of a text, because a patch may print them one by one."""
    values = [value for test in tests for value in _literals(test)]
    lines = [line for value in values if isinstance(value, str) and "\n" in value for line in value.splitlines()]
    return {_key(value) for value in [*values, *lines]}


def _literals(node: ast.AST) -> Iterator[object]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant):
            yield inner.value


def _key(value: object) -> _Key:
    """Make numbers comparable across types (180 and 180.0), and texts without the space around them."""
    if isinstance(value, str):
        return "word", value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", value
    return type(value).__name__, repr(value)


def _constants(tree: ast.Module) -> list[ast.Constant]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def _parse(text: str) -> ast.Module:
    """Parse the text; an empty module if it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


_COMMON_KEYS = {_key(value) for value in _COMMON}
