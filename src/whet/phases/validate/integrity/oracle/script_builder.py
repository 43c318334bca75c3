"""Build the script of one test: each assertion becomes a query for the value that the test compares."""

import ast
import copy
from collections.abc import Sequence
from dataclasses import replace

from whet.phases.validate.integrity.oracle.literals import UNKNOWN, constants_of, expected_value, is_docstring
from whet.phases.validate.integrity.oracle.names import bound_names, modified_names, names_bound_by, read_names
from whet.phases.validate.integrity.oracle.parameters import ParameterSet, row_values
from whet.phases.validate.integrity.oracle.script import Comparison, Query, Script
from whet.phases.validate.integrity.oracle.test_class import SelfState, is_self_attribute
from whet.phases.validate.integrity.oracle.test_module import ModuleNames
from whet.phases.validate.integrity.test_ids import Function

_EQUALITY_METHODS = (
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
)  # fmt: skip
_OPERATORS: dict[str, type[ast.cmpop]] = {
    "assertIn": ast.In, "assertNotIn": ast.NotIn, "assertIs": ast.Is, "assertIsNot": ast.IsNot,
    "assertNotEqual": ast.NotEq, "assertGreater": ast.Gt, "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE,
} | dict.fromkeys(_EQUALITY_METHODS, ast.Eq)  # fmt: skip
_NONE_OPERATORS: dict[str, type[ast.cmpop]] = {"assertIsNone": ast.Is, "assertIsNotNone": ast.IsNot}
_ARRAY_COMPARISONS = (
    "allclose", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "array_equal",
    "assert_array_equal",
)  # fmt: skip
_MOST_ROWS = 100
_DEEPEST_HELPER = 3


class _NotScriptable(Exception):
    """Raised when the test does something that has no meaning without its runner."""


class ScriptBuilder:
    """Builds the script of one test function with one parameter set.

    `_constants` are the names whose literal value is known where the builder is in the test. Their values are what tests
    expect, so they are compared outside and not sent into the sandbox.
    """

    def __init__(self, module: ModuleNames, state: SelfState, parameters: ParameterSet, key: str) -> None:
        self._module, self._state, self._parameters, self._key = module, state, parameters, key
        self._constants: dict[str, ast.expr] = {}
        self._queries: list[Query] = []
        self._conditional = False
        self._temporaries = self._depth = 0

    def build(self, node: Function) -> Script | None:
        """Return the script; None if the test asks for nothing, or needs something that is not available."""
        body = [copy.deepcopy(statement) for statement in node.body if not is_docstring(statement)]
        rebound = names_bound_by(body) | modified_names(body)
        of_module = {name: value for name, value in self._module.constants.items() if name not in rebound}
        self._constants = {**of_module, **self._parameters, **constants_of(body)}
        try:
            statements = self._rewrite_all(body)
        except _NotScriptable:
            return None
        if self._queries:
            statements += self._query_compared_arguments(body)
        return self._assemble(statements, "async def" if isinstance(node, ast.AsyncFunctionDef) else "def")

    def _assemble(self, statements: list[ast.stmt], define: str) -> Script | None:
        """Put the parameters and the attributes of `self` in front of the statements."""
        used = read_names(statements)
        # A constant that is now only compared outside is not needed inside, and would give the expected value away.
        statements = [part for part in statements if not self._is_unused_constant(part, used)]
        parameters: list[ast.stmt] = [
            ast.Assign([ast.Name(name, ast.Store())], value)
            for name, value in self._parameters.items()
            if name in used
        ]  # fmt: skip
        attributes = self._self_attributes(statements) if "self" in used else []
        if not self._queries or attributes is None:
            return None
        body = [*parameters, *attributes, *statements]
        if not self._module.resolves(body):
            return None
        function = ast.parse(f"{define} case():\n    yield")
        function.body[0].body = body  # type: ignore[attr-defined]
        return Script(ast.unparse(ast.fix_missing_locations(function)), self._queries)

    def _is_unused_constant(self, node: ast.stmt, used: set[str]) -> bool:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self._constants and name not in used
        return False

    def _self_attributes(self, statements: Sequence[ast.stmt]) -> list[ast.stmt] | None:
        """Return statements that make a `self` with the attributes that are read; None if `self` is used otherwise."""
        nodes = [node for statement in statements for node in ast.walk(statement)]
        attributes = [node for node in nodes if is_self_attribute(node)]
        read = {node.attr for node in attributes if isinstance(node.ctx, ast.Load)}
        written = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
        uses = sum(isinstance(node, ast.Name) and node.id == "self" for node in nodes)
        if uses != len(attributes) or read - written - self._state.attributes.keys():
            return None
        return [*ast.parse("self = type('Own', (), {})()").body, *self._state.assignments_for(read)]

    def _query(self, shown: ast.expr, expected: object, comparison: Comparison = Comparison.EQUAL) -> str:
        """Record a query and return its key."""
        key = f"{self._key}:{len(self._queries)}"
        self._queries.append(Query(key, ast.unparse(shown), expected, comparison, self._conditional))
        return key

    # ---- statements -------------------------------------------------------------------------------------------

    def _rewrite_all(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [part for node in nodes for part in self._rewrite(node)]

    def _rewrite(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statement as it goes into the sandbox, with assertions replaced by queries."""
        match node:
            case ast.Assert(test=test):
                return self._rewrite_assertion(test)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call):
                return self._rewrite_method(name, call)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if _asserts(self._module.helpers.get(name)):
                return self._inline_helper(self._module.helpers[name], call, is_method=False)
            case ast.Expr(value=ast.Call(func=ast.Attribute(), args=[_, _]) as call) if _is_array_comparison(call):
                return self._rewrite_assertion(call)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=None)], body=body):
                return self._rewrite_with(node, call, body)
            case ast.For(orelse=[]):
                return self._rewrite_loop(node)
            case ast.If():
                bound = bound_names(node)
                body, orelse = (self._rewrite_conditional(part, bound) for part in (node.body, node.orelse))
                return [ast.If(node.test, body, orelse)]
        return [node]

    def _rewrite_with(self, node: ast.With, call: ast.Call, body: list[ast.stmt]) -> list[ast.stmt]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name == "subTest":
            return self._rewrite_all(body)
        if name in ("raises", "assertRaises", "assertRaisesRegex") and call.args:
            return [self._query_exception(body, call.args[0], _message_pattern(name, call))]
        return [ast.With(node.items, self._rewrite_all(body))]

    def _rewrite_loop(self, node: ast.For) -> list[ast.stmt]:
        """Unroll a loop over a literal table, with queries of their own for each row; else keep a conditional loop."""
        rows = self._unrolled_rows(node)
        if rows is None:
            return [ast.For(node.target, node.iter, self._rewrite_conditional(node.body, bound_names(node)), [])]
        statements: list[ast.stmt] = []
        for row in rows:
            self._constants |= row
            statements += [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in row.items()]
            statements += self._rewrite_all([copy.deepcopy(part) for part in node.body])
        return statements

    def _unrolled_rows(self, node: ast.For) -> list[ParameterSet] | None:
        """Return the values of the loop variables for each round; None if the loop cannot be unrolled."""
        targets = [node.target] if isinstance(node.target, ast.Name) else getattr(node.target, "elts", [])
        columns = [target.id for target in targets if isinstance(target, ast.Name)]
        table = self._literal_items(node.iter)
        leaves_early = any(isinstance(inner, ast.Break | ast.Continue) for inner in ast.walk(node))
        if not table or len(table) > _MOST_ROWS or leaves_early or len(columns) != len(targets):
            return None
        rows = [row_values(item, columns) for item in table]
        complete = [row for row in rows if row is not None]
        return complete if len(complete) == len(rows) else None

    def _literal_items(self, node: ast.expr) -> list[ast.expr] | None:
        if is_self_attribute(node):
            node = self._state.attributes.get(node.attr, node)
        if isinstance(node, ast.Name):
            node = self._constants.get(node.id, self._module.constants.get(node.id, node))
        return node.elts if isinstance(node, ast.List | ast.Tuple) else None

    def _rewrite_conditional(self, body: Sequence[ast.stmt], rebound: set[str]) -> list[ast.stmt]:
        """Rewrite a block that may not run, or run several times; `rebound` names have no known value in it."""
        conditional, constants = self._conditional, self._constants
        self._conditional = True
        self._constants = {name: value for name, value in constants.items() if name not in rebound}
        try:
            return self._rewrite_all(body)
        finally:
            self._conditional, self._constants = conditional, constants

    # ---- assertions -------------------------------------------------------------------------------------------

    def _rewrite_assertion(self, test: ast.expr) -> list[ast.stmt]:
        """Query the side of an equality whose other side is a literal; query any other condition as a whole."""
        sides = _equality_sides(test)
        if sides is not None:
            for actual, expected in (sides, sides[::-1]):
                value, is_near = expected_value(expected, self._constants)
                if value is not UNKNOWN and not self._is_known(actual):
                    is_near = is_near or _is_array_comparison(test)
                    comparison = Comparison.NEAR if is_near else Comparison.EQUAL
                    return [_yield(self._query(actual, value, comparison), actual)]
        if _is_array_comparison(test) and _called(test).startswith("assert"):
            raise _NotScriptable  # it returns None, so its outcome cannot be queried
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
        # Nothing is smaller than the empty set: `side <= x` on the left and `x >= side` on the right hold for it.
        smaller = (ast.LtE, ast.Lt) if place == 0 else (ast.GtE, ast.Gt)
        return name, Comparison.ALL if isinstance(operator, smaller) else Comparison.SEEN

    def _hoist(self, node: ast.expr, before: list[ast.stmt]) -> ast.Name:
        """Evaluate an expression once, into a temporary name."""
        self._temporaries += 1
        name = f"_given_{self._temporaries}"
        before.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(name, ast.Load())

    def _expect(self, key: str, expected: object) -> None:
        for place, query in enumerate(self._queries):
            if query.key == key:
                self._queries[place] = replace(query, expected=expected)

    def _is_known(self, node: ast.expr) -> bool:
        return expected_value(node, self._constants)[0] is not UNKNOWN

    def _rewrite_method(self, name: str, call: ast.Call) -> list[ast.stmt]:
        """Rewrite a call of an assertion method of `self`."""
        args = call.args
        if name in _OPERATORS and len(args) > 1 and not call.keywords:
            return self._rewrite_assertion(ast.Compare(args[0], [_OPERATORS[name]()], [args[1]]))
        if name in _NONE_OPERATORS and args:
            return self._rewrite_assertion(ast.Compare(args[0], [_NONE_OPERATORS[name]()], [ast.Constant(None)]))
        if name == "assertTrue" and args:
            return self._rewrite_assertion(args[0])
        if name == "assertFalse" and args:
            return self._rewrite_assertion(ast.UnaryOp(ast.Not(), args[0]))
        if name == "assertRaises" and len(args) > 1:
            return [self._query_exception([ast.Expr(ast.Call(args[1], args[2:], call.keywords))], args[0], None)]
        if _asserts(self._state.methods.get(name)):
            return self._inline_helper(self._state.methods[name], call, is_method=True)
        raise _NotScriptable

    def _inline_helper(self, helper: Function, call: ast.Call, *, is_method: bool) -> list[ast.stmt]:
        """Make a helper that asserts a generator within the script, and yield its values where it is called."""
        if self._depth >= _DEEPEST_HELPER or isinstance(helper, ast.AsyncFunctionDef) or helper.decorator_list:
            raise _NotScriptable
        if any(isinstance(inner, ast.Return | ast.Yield | ast.Await) for inner in ast.walk(helper)):
            raise _NotScriptable
        self._depth += 1
        self._temporaries += 1
        name, constants = f"_helper_{self._temporaries}", self._constants
        parameters = {inner.arg for inner in ast.walk(helper.args) if isinstance(inner, ast.arg)}
        local = parameters | names_bound_by(helper.body)
        self._constants = {word: value for word, value in self._module.constants.items() if word not in local}
        body = self._rewrite_all([copy.deepcopy(part) for part in helper.body if not is_docstring(part)])
        self._depth, self._constants = self._depth - 1, constants
        arguments = copy.deepcopy(helper.args)
        if is_method:
            arguments.args = arguments.args[1:]
        definition = ast.FunctionDef(name, arguments, body, [], None, None, lineno=1)
        helper_call = ast.Call(ast.Name(name, ast.Load()), call.args, call.keywords)
        forward = ast.Expr(ast.Yield(ast.Name("_said", ast.Load())))
        return [definition, ast.For(ast.Name("_said", ast.Store()), helper_call, [forward], [])]

    def _query_exception(self, body: list[ast.stmt], kind: ast.expr, pattern: ast.expr | None) -> ast.stmt:
        """Query the class names of the exception that the body raises, and its message if the test has a pattern."""
        name = ast.unparse(kind).rpartition(".")[2]
        last = body[-1]
        shown = last.value if isinstance(last, ast.Expr) else kind
        key = self._query(shown, name, Comparison.RAISES)
        names = ast.parse("[one.__name__ for one in type(problem).__mro__]", mode="eval").body
        handler_body = [_yield(key, names)]
        text = expected_value(pattern, self._constants)[0] if pattern is not None else UNKNOWN
        if isinstance(text, str):
            message = ast.parse("str(problem)[:2000]", mode="eval").body
            handler_body.append(_yield(self._query(shown, text, Comparison.MATCHES), message))
        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "problem", handler_body)
        return ast.Try(body, [handler], [_yield(key, ast.List([], ast.Load()))], [])

    def _query_compared_arguments(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Query containers that are on both sides of an equality, as in `f(rows) == rows`.

        Code that empties its argument and returns it would agree with any expectation.
        """
        containers: dict[str, object] = {}
        for node in (inner for statement in body for inner in ast.walk(statement)):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
                on_both_sides = read_names([node.left]) & read_names([node.comparators[0]])
                for name in on_both_sides & self._constants.keys():
                    value, _ = expected_value(self._constants[name], {})
                    if isinstance(value, list | dict | set):
                        containers[name] = value
        statements = []
        for name, value in containers.items():
            argument = ast.Name(name, ast.Load())
            statements.append(_yield(self._query(argument, value, Comparison.KEPT), argument))
        return statements


def _asserts(node: Function | None) -> bool:
    """True if a function of the test file asserts something."""
    if node is None:
        return False
    return any(
        isinstance(inner, ast.Assert) or (is_self_attribute(inner) and inner.attr.startswith("assert"))
        for inner in ast.walk(node)
    )


def _equality_sides(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return left, right
        case ast.Call(args=[left, right], keywords=[]) if _is_array_comparison(test):
            return left, right
    return None


def _is_array_comparison(node: ast.expr) -> bool:
    """True for a call of an array library that compares two arguments."""
    return _called(node) in _ARRAY_COMPARISONS


def _called(node: ast.expr) -> str:
    """Return the last part of the name of the called function; empty if the node is not a call."""
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _message_pattern(name: str, call: ast.Call) -> ast.expr | None:
    if name == "assertRaisesRegex":
        return call.args[1] if len(call.args) > 1 else None
    return next((keyword.value for keyword in call.keywords if keyword.arg == "match"), None)


def _yield(key: str, value: ast.expr, *, is_temporary: bool = False) -> ast.stmt:
    """Yield a key and its value; the third item says that the value is not used again, so it may be consumed."""
    marks = [ast.Constant(value=True)] if is_temporary else []
    return ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value, *marks], ast.Load())))
