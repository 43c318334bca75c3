"""A statement of a test that expects something, and the same statement expecting something else.

What comes back in its place must fail for an honest value. Where a comparison has a tolerance, or asks whether something
is in it, the statement comes several times, further off each time: only what agrees with everything passes them all.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy

from whet.phases.validate.integrity.mutate_value import another, as_node, beyond, further
from whet.phases.validate.integrity.test_ids import Function

_OPPOSITE = {
    "assertTrue": "assertFalse", "assertFalse": "assertTrue", "assertIs": "assertIsNot", "assertIsNot": "assertIs",
    "assertIsNone": "assertIsNotNone", "assertIsNotNone": "assertIsNone", "assertIn": "assertNotIn",
    "assertNotIn": "assertIn", "assertIsInstance": "assertNotIsInstance", "assertNotIsInstance": "assertIsInstance",
    "assertGreater": "assertLessEqual", "assertLessEqual": "assertGreater", "assertLess": "assertGreaterEqual",
    "assertGreaterEqual": "assertLess", "assertRegex": "assertNotRegex", "assertNotRegex": "assertRegex",
    "assertNotAlmostEqual": "assertAlmostEqual", "assertNotEqual": "assertEqual", "assert_": "assertFalse",
}  # fmt: skip
_EQUAL = frozenset({
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertSequenceEqual", "assertMultiLineEqual",
})  # fmt: skip
_RAISES = frozenset({"raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex"})
_CALLED = frozenset({
    "assert_called_with", "assert_called_once_with", "assert_any_call", "assert_awaited_with",
    "assert_awaited_once_with", "assert_any_await",
})  # fmt: skip
_COMPARING = ("equal", "close", "same", "almost", "approx", "identical", "match", "alike")
_ASSERTING = ("assert", "check", "expect", "verify")
_MEASURING = frozenset({"len", "zip", "list", "tuple", "set", "sorted", "dict", "iter", "enumerate", "repr", "str"})
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_EXCEPTION_WORDS = ("expected_exception", "expected_warning", "exception", "warning")


class Expectations:
    """Knows the helpers of one test file, and the name of the function that makes another value at run time."""

    def __init__(self, tree: ast.Module, other: str) -> None:
        self._other = other
        self._compared = {
            node.name: compared_only(node) for node in ast.walk(tree) if isinstance(node, Function) and _asserts(node)
        }

    def otherwise(self, statement: ast.stmt) -> list[ast.stmt]:
        """What takes its place when it expects something else; nothing where it expects nothing that is known."""
        match statement:
            case ast.Assert(test=test, msg=msg):
                return [ast.Assert(other, deepcopy(msg)) for other in self._conditions(test)]
            case ast.With() | ast.AsyncWith():
                return self._other_with(statement)
            case ast.Expr(value=ast.Await(value=ast.Call() as call)):
                return [ast.Expr(ast.Await(other)) for other in self._calls(call)]
            case ast.Expr(value=ast.Call() as call):
                return [ast.Expr(other) for other in self._calls(call)]
        return []

    # ---- conditions -------------------------------------------------------------------------------------------

    def _conditions(self, test: ast.expr) -> list[ast.expr]:
        """False where `test` was true of honest values; true where they agree with whatever they are held against."""
        found: list[ast.expr] = []
        match test:
            case ast.Compare(ops=ops) if all(isinstance(op, ast.Eq) for op in ops):
                found = self._unequal(test)
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                found = [ast.Compare(left, [ast.Eq()], [right])]
            case ast.Compare(ops=[ast.In()]):
                found = self._elsewhere(test)
            case ast.Compare(ops=[op]) if isinstance(op, _ORDER):
                found = self._out_of_bounds(test)
            case ast.BoolOp(op=ast.And(), values=values):
                found = self._one_of(values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = [operand]
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as each]):
                found = [_call("all", _with_element(each, ast.UnaryOp(ast.Not(), each.elt)))]
            case ast.Call() if _is_named(test, _COMPARING):
                found = [*self._with_other_argument(test)]
        return found or [ast.UnaryOp(ast.Not(), test)]

    def _unequal(self, test: ast.Compare) -> list[ast.expr]:
        sides = [test.left, *test.comparators]
        place = next((number for number, side in enumerate(sides) if _is_written(side)), len(sides) - 1)
        place = next((number for number, side in enumerate(sides) if called(side) == "approx"), place)
        others = self._further(sides[place]) if called(sides[place]) == "approx" else [self._another(sides[place])]
        return [_comparing(test, place, other) for other in others]

    def _elsewhere(self, test: ast.Compare) -> list[ast.expr]:
        """Something else in it; or it in something else."""
        place = 0 if _is_written(test.left) else 1
        return [_comparing(test, place, other) for other in _values(test.left if place == 0 else test.comparators[0])]

    def _out_of_bounds(self, test: ast.Compare) -> list[ast.expr]:
        for place, side in enumerate([test.left, test.comparators[0]]):
            value = _value(side)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return [_comparing(test, place, node) for bound in beyond(value) if (node := as_node(bound))]
            if isinstance(value, set) and value:
                return [_comparing(test, place, other) for other in _values(side)]
        return []

    def _one_of(self, values: list[ast.expr]) -> list[ast.expr]:
        """All have to hold, so it is enough that one does not: the one that says most about what is expected."""
        place = next((number for number, value in enumerate(values) if isinstance(value, ast.Compare)), len(values) - 1)
        return [
            ast.BoolOp(ast.And(), [*values[:place], other, *values[place + 1 :]])
            for other in self._conditions(values[place])
        ]

    # ---- calls ------------------------------------------------------------------------------------------------

    def _calls(self, call: ast.Call) -> list[ast.expr]:
        name = called(call)
        if name in _RAISES:
            return [*self._other_exception(call)]
        if name in _EQUAL:
            return [*self._with_other_argument(call, exactly=True)]
        if name in _CALLED:
            return [_with_argument(call, *self._any_argument(call))]
        if name == "assertIn" and call.args and _is_written(call.args[0]):
            return [_with_argument(call, 0, other) for other in _values(call.args[0])]
        if name in _OPPOSITE and isinstance(call.func, ast.Attribute):
            return [ast.Call(ast.Attribute(call.func.value, _OPPOSITE[name], ast.Load()), call.args, call.keywords)]
        if name.lower().lstrip("_").startswith(_ASSERTING) and _is_named(call, _COMPARING):
            return [*self._with_other_argument(call)]
        return [*self._with_other_help(call, self._compared.get(name, {}))]

    def _with_other_argument(self, call: ast.Call, *, exactly: bool = False) -> Iterator[ast.Call]:
        """Two things are held against each other: the one that is written down changes, or the second."""
        places = [place for place, (word, _) in enumerate(_arguments(call)) if word != "msg"][:2]
        values = [_arguments(call)[place][1] for place in places]
        if len(values) < 2 or any(isinstance(value, ast.Starred) for value in values):
            return
        number = 0 if _is_written(values[0]) and not _is_written(values[1]) else 1
        others = [self._another(values[number])] if exactly else self._further(values[number])
        for other in others:
            yield _with_argument(call, places[number], other)

    def _with_other_help(self, call: ast.Call, compared: Mapping[int | str, bool]) -> Iterator[ast.Call]:
        """A helper of the file which does nothing with an argument but hold something against it."""
        for place, (word, value) in enumerate(_arguments(call)):
            if compared.get(word or place) and _is_written(value) and (others := _values(value)):
                for other in others:
                    yield _with_argument(call, place, other)
                return

    def _any_argument(self, call: ast.Call) -> tuple[int, ast.expr]:
        arguments = _arguments(call)
        place = next((number for number, (_, value) in enumerate(arguments) if _is_written(value)), 0)
        return (place, self._another(arguments[place][1])) if arguments else (0, ast.Constant(0))

    def _other_exception(self, call: ast.Call) -> Iterator[ast.Call]:
        for place, (word, value) in enumerate(_arguments(call)):
            if (not word and place == 0) or word in _EXCEPTION_WORDS:
                yield _with_argument(call, place, _call(self._other, value))
                return

    def _other_with(self, statement: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        for place, item in enumerate(statement.items):
            if called(item.context_expr) in _RAISES and isinstance(item.context_expr, ast.Call):
                changed = deepcopy(statement)
                for other in self._other_exception(item.context_expr):
                    changed.items[place].context_expr = other
                    return [changed]
        return []

    # ---- values -----------------------------------------------------------------------------------------------

    def _another(self, node: ast.expr) -> ast.expr:
        written = as_node(another(_value(node))) if _is_written(node) else None
        return written or _call(self._other, node)

    def _further(self, node: ast.expr) -> list[ast.expr]:
        """What is written down changes where it is written, also within `approx`."""
        if called(node) == "approx" and isinstance(node, ast.Call) and node.args:
            return [_with_argument(node, 0, other) for other in self._further(node.args[0])]
        if _is_written(node):
            return _values(node)
        return [_call(self._other, node)]


def compared_only(helper: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[int | str, bool]:
    """Its parameters by place and name, and whether it does nothing with them but compare them."""
    names = [one.arg for one in [*helper.args.posonlyargs, *helper.args.args]]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    used = dict.fromkeys(names, True)
    for node in ast.walk(helper):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Name) and child.id in used and not _only_looks(node):
                used[child.id] = False
    places: dict[int | str, bool] = {number: used[name] for number, name in enumerate(names)}
    places.update(used)
    return places


def _only_looks(node: ast.AST) -> bool:
    name = called(node)
    return (
        isinstance(node, ast.Compare | ast.FormattedValue)
        or name in _MEASURING
        or name in _EQUAL
        or name.startswith("assert")
    )


def called(node: ast.AST | None) -> str:
    """The last part of the name of what is called; empty where it is no call."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _asserts(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert) or called(node).startswith("assert") for node in ast.walk(function))


def _is_named(call: ast.Call, parts: Collection[str]) -> bool:
    return any(part in called(call).lower() for part in parts)


def _is_written(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _value(node: ast.expr) -> object:
    return ast.literal_eval(node) if _is_written(node) else None


def _values(node: ast.expr) -> list[ast.expr]:
    """Further and further from what is written there; none where nothing is."""
    return [other for value in further(_value(node)) if (other := as_node(value))] if _is_written(node) else []


def _arguments(call: ast.Call) -> list[tuple[str, ast.expr]]:
    return [*(("", value) for value in call.args), *((word.arg or "**", word.value) for word in call.keywords)]


def _with_argument(call: ast.Call, place: int, value: ast.expr) -> ast.Call:
    """The call with another value in this place; with one more, where it has none."""
    changed = deepcopy(call)
    if place < len(changed.args):
        changed.args[place] = value
    elif changed.keywords:
        changed.keywords[place - len(changed.args)].value = value
    else:
        changed.args.append(value)
    return changed


def _comparing(test: ast.Compare, place: int, value: ast.expr) -> ast.Compare:
    sides = [test.left, *test.comparators]
    sides[place] = value
    return ast.Compare(sides[0], test.ops, sides[1:])


def _with_element(each: ast.GeneratorExp | ast.ListComp, element: ast.expr) -> ast.expr:
    return type(each)(element, each.generators)


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
