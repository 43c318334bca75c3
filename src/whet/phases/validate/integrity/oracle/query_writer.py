"""Write the queries of a script: replace assertions by statements that yield the values they compare."""

import ast
import copy
from collections.abc import Sequence
from dataclasses import replace

from whet.phases.validate.integrity.oracle.literals import UNKNOWN, expected_value
from whet.phases.validate.integrity.oracle.script import Comparison, Query
from whet.phases.validate.integrity.oracle.test_module import ModuleNames
from whet.pyast.bindings import read_names

_ARRAY_COMPARISONS = (
    "allclose", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "array_equal",
    "assert_array_equal",
)  # fmt: skip


class NotScriptable(Exception):
    """Raised when the test does something that has no meaning without its runner."""


class QueryWriter:
    """Collects the queries of one script.

    `constants` are the names whose literal value is known at this point of the test. They hold what the test expects, so
    they are compared outside and not sent into the sandbox. `conditional` is true in a loop or a branch.
    """

    def __init__(self, module: ModuleNames, key: str) -> None:
        self._module, self._key = module, key
        self.queries: list[Query] = []
        self.constants: dict[str, ast.expr] = {}
        self.conditional = False
        self._temporaries = 0

    def write_assertion(self, test: ast.expr) -> list[ast.stmt]:
        """Query the side of an equality whose other side is a literal; query any other condition as a whole."""
        sides = _equality_sides(test)
        if sides is not None:
            for actual, expected in (sides, sides[::-1]):
                value, is_near = expected_value(expected, self.constants)
                if value is not UNKNOWN and not self._is_known(actual):
                    is_near = is_near or is_array_comparison(test)
                    comparison = Comparison.NEAR if is_near else Comparison.EQUAL
                    return [_yield(self._query(actual, value, comparison), actual)]
        if is_array_comparison(test) and _called(test).startswith("assert"):
            raise NotScriptable  # it returns None, so its outcome cannot be queried
        return self._query_condition(test)

    def _query_condition(self, test: ast.expr) -> list[ast.stmt]:
        """Evaluate the condition in the sandbox, and query the values that it is made of as well.

        A value of an unknown class, or an empty one, may make a condition true that means nothing.
        """
        before: list[ast.stmt] = []
        after: list[ast.stmt] = []
        outcome = self._query(copy.deepcopy(test), expected=True)
        match test:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                test = self._query_sides(left, operator, right, before, after)
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=[first, *_]) as each]):
                name = self._hoist(first.iter, before)
                after.append(_yield(self._query(first.iter, "", Comparison.ALL), name))
                each.generators[0].iter = name
            case ast.Call(func=ast.Attribute(value=value, attr="all") as method, args=[], keywords=[]):
                method.value = self._hoist(value, before)
                after.append(_yield(self._query(value, "", Comparison.ALL), method.value))
        condition = ast.Call(ast.Name("bool", ast.Load()), [test], [])
        return [*before, _yield(outcome, condition), *after]

    def _query_sides(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, before: list[ast.stmt], after: list[ast.stmt]
    ) -> ast.Compare:
        """Query both sides of a comparison and return the comparison of the evaluated sides."""
        sides = (left, right)
        hoisted = [self._hoist_side(side, operator, place, before) for place, side in enumerate(sides)]
        keys = [
            self._query(side, "", comparison) if comparison else ""
            for side, (_, comparison) in zip(sides, hoisted, strict=True)
        ]  # fmt: skip
        for place, (name, comparison) in enumerate(hoisted):
            key, other_key = keys[place], keys[1 - place]
            if comparison in (Comparison.SEEN, Comparison.ALL):
                self._expect(key, other_key)
            if key:
                after.append(_yield(key, name, is_temporary=not isinstance(sides[place], ast.Name)))
        return ast.Compare(hoisted[0][0], [operator], [hoisted[1][0]])

    def _hoist_side(
        self, node: ast.expr, operator: ast.cmpop, place: int, before: list[ast.stmt]
    ) -> tuple[ast.expr, Comparison | None]:
        """Give a side of a comparison a name, and say how its value is judged; a known value needs neither."""
        if self._is_known(node):
            return node, None
        name = self._hoist(node, before)
        has_call = any(isinstance(inner, ast.Call) for inner in ast.walk(node))
        if has_call and read_names([node]) <= self._module.code_free:
            return name, Comparison.FIXED
        # An empty set is a subset of every set, so an empty `side` makes `side <= x` and `x >= side` true for any x.
        smaller = (ast.LtE, ast.Lt) if place == 0 else (ast.GtE, ast.Gt)
        return name, Comparison.ALL if isinstance(operator, smaller) else Comparison.SEEN

    def _hoist(self, node: ast.expr, before: list[ast.stmt]) -> ast.Name:
        """Evaluate an expression once, into a temporary name."""
        name = self.temporary_name("given")
        before.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(name, ast.Load())

    def _expect(self, key: str, expected: object) -> None:
        for place, query in enumerate(self.queries):
            if query.key == key:
                self.queries[place] = replace(query, expected=expected)

    def _is_known(self, node: ast.expr) -> bool:
        return expected_value(node, self.constants)[0] is not UNKNOWN

    def write_exception(self, body: list[ast.stmt], kind: ast.expr, pattern: ast.expr | None) -> ast.stmt:
        """Query the class names of the exception that the body raises, and its message if the test has a pattern."""
        name = ast.unparse(kind).rpartition(".")[2]
        last = body[-1]
        shown = last.value if isinstance(last, ast.Expr) else kind
        key = self._query(shown, name, Comparison.RAISES)
        names = ast.parse("[one.__name__ for one in type(problem).__mro__]", mode="eval").body
        handler_body = [_yield(key, names)]
        text = expected_value(pattern, self.constants)[0] if pattern is not None else UNKNOWN
        if isinstance(text, str):
            message = ast.parse("str(problem)[:2000]", mode="eval").body
            handler_body.append(_yield(self._query(shown, text, Comparison.MATCHES), message))
        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "problem", handler_body)
        return ast.Try(body, [handler], [_yield(key, ast.List([], ast.Load()))], [])

    def write_compared_arguments(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Query containers that are on both sides of an equality, as in `f(rows) == rows`.

        Code that empties its argument and returns it would agree with any expectation.
        """
        containers: dict[str, object] = {}
        for node in (inner for statement in body for inner in ast.walk(statement)):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
                on_both_sides = read_names([node.left]) & read_names([node.comparators[0]])
                for name in on_both_sides & self.constants.keys():
                    value, _ = expected_value(self.constants[name], {})
                    if isinstance(value, list | dict | set):
                        containers[name] = value
        statements = []
        for name, value in containers.items():
            argument = ast.Name(name, ast.Load())
            statements.append(_yield(self._query(argument, value, Comparison.KEPT), argument))
        return statements

    def temporary_name(self, word: str) -> str:
        self._temporaries += 1
        return f"_{word}_{self._temporaries}"

    def _query(self, shown: ast.expr, expected: object, comparison: Comparison = Comparison.EQUAL) -> str:
        """Add a query and return its key."""
        key = f"{self._key}:{len(self.queries)}"
        self.queries.append(Query(key, ast.unparse(shown), expected, comparison, self.conditional))
        return key


def _equality_sides(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return left, right
        case ast.Call(args=[left, right], keywords=[]) if is_array_comparison(test):
            return left, right
    return None


def is_array_comparison(node: ast.expr) -> bool:
    """True for a call of an array library that compares two arguments."""
    return _called(node) in _ARRAY_COMPARISONS


def _called(node: ast.expr) -> str:
    """Return the last part of the name of the called function; empty if the node is not a call."""
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _yield(key: str, value: ast.expr, *, is_temporary: bool = False) -> ast.stmt:
    """Yield a key and its value; the third item says that the value is not used again, so it may be consumed."""
    marks = [ast.Constant(value=True)] if is_temporary else []
    return ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value, *marks], ast.Load())))
