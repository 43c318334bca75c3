"""Mutate one assertion so that it expects another value.

The replacement must fail for honest code. Where a comparison has a tolerance, or asks for membership, the assertion is
repeated at growing distance from the expected value: only code that agrees with everything passes all of them.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy

from whet.phases.validate.integrity.mutate.values import (
    different_value,
    distant_values,
    literal_node,
    unreachable_bounds,
)
from whet.pyast.bindings import is_literal
from whet.pyast.functions import Function

_OPPOSITE = {
    "assertTrue": "assertFalse", "assertFalse": "assertTrue", "assertIs": "assertIsNot", "assertIsNot": "assertIs",
    "assertIsNone": "assertIsNotNone", "assertIsNotNone": "assertIsNone", "assertIn": "assertNotIn",
    "assertNotIn": "assertIn", "assertIsInstance": "assertNotIsInstance", "assertNotIsInstance": "assertIsInstance",
    "assertGreater": "assertLessEqual", "assertLessEqual": "assertGreater", "assertLess": "assertGreaterEqual",
    "assertGreaterEqual": "assertLess", "assertRegex": "assertNotRegex", "assertNotRegex": "assertRegex",
    "assertNotAlmostEqual": "assertAlmostEqual", "assertNotEqual": "assertEqual", "assert_": "assertFalse",
}  # fmt: skip
_EQUALITY_METHODS = frozenset({
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertSequenceEqual", "assertMultiLineEqual",
})  # fmt: skip
_RAISES = frozenset({"raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex"})
_MOCK_METHODS = frozenset({
    "assert_called_with", "assert_called_once_with", "assert_any_call", "assert_awaited_with",
    "assert_awaited_once_with", "assert_any_await",
})  # fmt: skip
_COMPARING_WORDS = ("equal", "close", "same", "almost", "approx", "identical", "match", "alike")
_ASSERTING_WORDS = ("assert", "check", "expect", "verify")
_READ_ONLY_CALLS = frozenset({
    "len", "zip", "list", "tuple", "set", "sorted", "dict", "iter", "enumerate", "repr", "str",
})  # fmt: skip
_ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_EXCEPTION_KEYWORDS = ("expected_exception", "expected_warning", "exception", "warning")


class AssertionMutator:
    """Mutates the assertions of one test file.

    `helper` is the name of a function in that file that returns a different value at run time, for expected values that
    are not literals.
    """

    def __init__(self, tree: ast.Module, helper: str) -> None:
        self._helper = helper
        asserting = [node for node in ast.walk(tree) if isinstance(node, Function) and _asserts(node)]
        self._only_compared = {node.name: only_compared_parameters(node) for node in asserting}

    def mutate(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the statements that replace an assertion; empty if the statement is not a known kind of assertion."""
        match statement:
            case ast.Assert(test=test, msg=message):
                return [ast.Assert(mutated, deepcopy(message)) for mutated in self._mutate_condition(test)]
            case ast.With() | ast.AsyncWith():
                return self._mutate_with(statement)
            case ast.Expr(value=ast.Await(value=ast.Call() as call)):
                return [ast.Expr(ast.Await(mutated)) for mutated in self._mutate_call(call)]
            case ast.Expr(value=ast.Call() as call):
                return [ast.Expr(mutated) for mutated in self._mutate_call(call)]
        return []

    # ---- conditions -------------------------------------------------------------------------------------------

    def _mutate_condition(self, test: ast.expr) -> list[ast.expr]:
        """Return mutated conditions: false for ordinary values for which `test` is true.

        Only values that claim to be equal to everything still make them true.
        """
        mutated: list[ast.expr] = []
        match test:
            case ast.Compare(ops=operators) if all(isinstance(operator, ast.Eq) for operator in operators):
                mutated = self._mutate_equality(test)
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                mutated = [ast.Compare(left, [ast.Eq()], [right])]
            case ast.Compare(ops=[ast.In()]):
                mutated = self._mutate_membership(test)
            case ast.Compare(ops=[operator]) if isinstance(operator, _ORDERINGS):
                mutated = self._mutate_ordering(test)
            case ast.BoolOp(op=ast.And(), values=values):
                mutated = self._mutate_conjunction(values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                mutated = [operand]
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as each]):
                negated = type(each)(ast.UnaryOp(ast.Not(), each.elt), each.generators)
                mutated = [_call("all", negated)]
            case ast.Call() if _name_contains(test, _COMPARING_WORDS):
                mutated = [*self._mutate_second_operand(test)]
        return mutated or [ast.UnaryOp(ast.Not(), test)]

    def _mutate_equality(self, test: ast.Compare) -> list[ast.expr]:
        """Mutate the side that is `approx`, else the first literal, else the last side."""
        sides = [test.left, *test.comparators]
        for place, side in enumerate(sides):
            if called_name(side) == "approx":
                return [_with_side(test, place, value) for value in self._distant(side)]
        literals = [place for place, side in enumerate(sides) if is_literal(side)]
        place = literals[0] if literals else len(sides) - 1
        return [_with_side(test, place, self._different(sides[place]))]

    def _mutate_membership(self, test: ast.Compare) -> list[ast.expr]:
        """Mutate the element if it is a literal, else the container."""
        place = 0 if is_literal(test.left) else 1
        side = test.left if place == 0 else test.comparators[0]
        return [_with_side(test, place, value) for value in _distant_literals(side)]

    def _mutate_ordering(self, test: ast.Compare) -> list[ast.expr]:
        for place, side in enumerate([test.left, test.comparators[0]]):
            value = _literal_value(side)
            if isinstance(value, int | float) and not isinstance(value, bool):
                bounds = map(literal_node, unreachable_bounds(value))
                return [_with_side(test, place, bound) for bound in bounds if bound]
            if isinstance(value, set) and value:
                return [_with_side(test, place, other) for other in _distant_literals(side)]
        return []

    def _mutate_conjunction(self, values: list[ast.expr]) -> list[ast.expr]:
        """Mutate one part of `a and b`: the first comparison, else the last part."""
        comparisons = [place for place, value in enumerate(values) if isinstance(value, ast.Compare)]
        place = comparisons[0] if comparisons else len(values) - 1
        return [
            ast.BoolOp(ast.And(), [*values[:place], mutated, *values[place + 1 :]])
            for mutated in self._mutate_condition(values[place])
        ]

    # ---- calls ------------------------------------------------------------------------------------------------

    def _mutate_call(self, call: ast.Call) -> list[ast.expr]:
        name = called_name(call)
        if name in _RAISES:
            return [*self._mutate_exception(call)]
        if name in _EQUALITY_METHODS:
            return [*self._mutate_second_operand(call, exact=True)]
        if name in _MOCK_METHODS:
            return [self._mutate_any_argument(call)]
        if name == "assertIn" and call.args and is_literal(call.args[0]):
            return [_with_argument(call, 0, value) for value in _distant_literals(call.args[0])]
        if name in _OPPOSITE and isinstance(call.func, ast.Attribute):
            opposite = ast.Attribute(call.func.value, _OPPOSITE[name], ast.Load())
            return [ast.Call(opposite, call.args, call.keywords)]
        is_assertion = name.lower().lstrip("_").startswith(_ASSERTING_WORDS)
        if is_assertion and _name_contains(call, _COMPARING_WORDS):
            return [*self._mutate_second_operand(call)]
        return [*self._mutate_compared_argument(call, self._only_compared.get(name, {}))]

    def _mutate_second_operand(self, call: ast.Call, *, exact: bool = False) -> Iterator[ast.Call]:
        """Mutate the second of the two compared arguments, or the first if only the first is a literal."""
        arguments = _arguments(call)
        places = [place for place, (keyword, _) in enumerate(arguments) if keyword != "msg"][:2]
        values = [arguments[place][1] for place in places]
        if len(values) < 2 or any(isinstance(value, ast.Starred) for value in values):
            return
        operand = 0 if is_literal(values[0]) and not is_literal(values[1]) else 1
        mutated = [self._different(values[operand])] if exact else self._distant(values[operand])
        for value in mutated:
            yield _with_argument(call, places[operand], value)

    def _mutate_compared_argument(self, call: ast.Call, only_compared: Mapping[int | str, bool]) -> Iterator[ast.Call]:
        """Mutate the first literal argument that a helper of the file does nothing with but compare it."""
        for place, (keyword, value) in enumerate(_arguments(call)):
            if only_compared.get(keyword or place) and (mutated := _distant_literals(value)):
                for other in mutated:
                    yield _with_argument(call, place, other)
                return

    def _mutate_any_argument(self, call: ast.Call) -> ast.Call:
        """Mutate the first literal argument, else the first argument; add an argument to a call without arguments."""
        arguments = _arguments(call)
        if not arguments:
            return _with_argument(call, 0, ast.Constant(0))
        literals = [place for place, (_, value) in enumerate(arguments) if is_literal(value)]
        place = literals[0] if literals else 0
        return _with_argument(call, place, self._different(arguments[place][1]))

    def _mutate_exception(self, call: ast.Call) -> Iterator[ast.Call]:
        for place, (keyword, value) in enumerate(_arguments(call)):
            if (not keyword and place == 0) or keyword in _EXCEPTION_KEYWORDS:
                yield _with_argument(call, place, _call(self._helper, value))
                return

    def _mutate_with(self, statement: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        for place, item in enumerate(statement.items):
            if called_name(item.context_expr) in _RAISES and isinstance(item.context_expr, ast.Call):
                for mutated in self._mutate_exception(item.context_expr):
                    changed = deepcopy(statement)
                    changed.items[place].context_expr = mutated
                    return [changed]
        return []

    # ---- values -----------------------------------------------------------------------------------------------

    def _different(self, node: ast.expr) -> ast.expr:
        literal = literal_node(different_value(_literal_value(node))) if is_literal(node) else None
        return literal or _call(self._helper, node)

    def _distant(self, node: ast.expr) -> list[ast.expr]:
        """Return values at growing distance; within `approx(...)` its argument is mutated."""
        if called_name(node) == "approx" and isinstance(node, ast.Call) and node.args:
            return [_with_argument(node, 0, value) for value in self._distant(node.args[0])]
        return _distant_literals(node) if is_literal(node) else [_call(self._helper, node)]


def only_compared_parameters(helper: Function) -> dict[int | str, bool]:
    """Map each parameter, by position and by name, to True if the helper does nothing with it but compare it."""
    names = [parameter.arg for parameter in [*helper.args.posonlyargs, *helper.args.args]]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    by_name = dict.fromkeys(names, True)
    for node in ast.walk(helper):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Name) and child.id in by_name and not _only_reads(node):
                by_name[child.id] = False
    by_position_and_name: dict[int | str, bool] = {place: by_name[name] for place, name in enumerate(names)}
    by_position_and_name.update(by_name)
    return by_position_and_name


def _only_reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare | ast.FormattedValue):
        return True
    name = called_name(node)
    return name in _READ_ONLY_CALLS or name in _EQUALITY_METHODS or name.startswith("assert")


def called_name(node: ast.AST | None) -> str:
    """Return the last part of the name of the called function; empty if the node is not a call."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _asserts(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert) or called_name(node).startswith("assert") for node in ast.walk(function))


def _name_contains(call: ast.Call, words: Collection[str]) -> bool:
    name = called_name(call).lower()
    return any(word in name for word in words)


def _literal_value(node: ast.expr) -> object:
    return ast.literal_eval(node) if is_literal(node) else None


def _distant_literals(node: ast.expr) -> list[ast.expr]:
    """Return literals at growing distance from this one; empty if the node is not a literal."""
    if not is_literal(node):
        return []
    nodes = map(literal_node, distant_values(_literal_value(node)))
    return [other for other in nodes if other]


def _arguments(call: ast.Call) -> list[tuple[str, ast.expr]]:
    """Return the arguments in order, each with its keyword; the keyword of a positional one is empty."""
    positional = [("", value) for value in call.args]
    return [*positional, *((keyword.arg or "**", keyword.value) for keyword in call.keywords)]


def _with_argument(call: ast.Call, place: int, value: ast.expr) -> ast.Call:
    """Return a copy of the call with another value in this place; append it to a call without arguments."""
    changed = deepcopy(call)
    if place < len(changed.args):
        changed.args[place] = value
    elif changed.keywords:
        changed.keywords[place - len(changed.args)].value = value
    else:
        changed.args.append(value)
    return changed


def _with_side(test: ast.Compare, place: int, value: ast.expr) -> ast.Compare:
    sides = [test.left, *test.comparators]
    sides[place] = value
    return ast.Compare(sides[0], test.ops, sides[1:])


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
