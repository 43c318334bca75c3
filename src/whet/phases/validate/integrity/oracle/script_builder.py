"""Build the script of one test: each assertion becomes a query for the value that the test compares."""

import ast
import copy
from collections.abc import Sequence

from whet.phases.validate.integrity.oracle.literals import constants_of, is_docstring
from whet.phases.validate.integrity.oracle.names import modified_names, names_bound_by
from whet.phases.validate.integrity.oracle.parameters import ParameterSet, row_values
from whet.phases.validate.integrity.oracle.query_writer import NotScriptable, QueryWriter, is_array_comparison
from whet.phases.validate.integrity.oracle.script import Script
from whet.phases.validate.integrity.oracle.test_class import SelfState, is_self_attribute
from whet.phases.validate.integrity.oracle.test_module import ModuleNames
from whet.pyast.bindings import bound_names, read_names
from whet.pyast.functions import Function

_EQUALITY_METHODS = (
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
)  # fmt: skip
_OPERATORS: dict[str, type[ast.cmpop]] = {
    "assertIn": ast.In, "assertNotIn": ast.NotIn, "assertIs": ast.Is, "assertIsNot": ast.IsNot,
    "assertNotEqual": ast.NotEq, "assertGreater": ast.Gt, "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE,
} | dict.fromkeys(_EQUALITY_METHODS, ast.Eq)  # fmt: skip
_NONE_OPERATORS: dict[str, type[ast.cmpop]] = {"assertIsNone": ast.Is, "assertIsNotNone": ast.IsNot}
_MOST_ROWS = 100
_DEEPEST_HELPER = 3


class ScriptBuilder:
    """Builds the script of one test function with one parameter set."""

    def __init__(self, module: ModuleNames, state: SelfState, parameters: ParameterSet, key: str) -> None:
        self._module, self._state, self._parameters = module, state, parameters
        self._writer = QueryWriter(module, key)
        self._depth = 0

    def build(self, node: Function) -> Script | None:
        """Return the script; None if the test asks for nothing, or needs something that is not available."""
        body = [copy.deepcopy(statement) for statement in node.body if not is_docstring(statement)]
        rebound = names_bound_by(body) | modified_names(body)
        of_module = {name: value for name, value in self._module.constants.items() if name not in rebound}
        self._writer.constants = {**of_module, **self._parameters, **constants_of(body)}
        try:
            statements = self._rewrite_all(body)
        except NotScriptable:
            return None
        if self._writer.queries:
            statements += self._writer.write_compared_arguments(body)
        return self._assemble(statements, "async def" if isinstance(node, ast.AsyncFunctionDef) else "def")

    def _assemble(self, statements: list[ast.stmt], define: str) -> Script | None:
        """Return the script: parameters, attributes of `self`, statements; None without a query or if a name is missing."""
        used = read_names(statements)
        # A constant that is now only compared outside is not needed inside, and would give the expected value away.
        statements = [part for part in statements if not self._is_unused_constant(part, used)]
        parameters: list[ast.stmt] = [
            ast.Assign([ast.Name(name, ast.Store())], value)
            for name, value in self._parameters.items()
            if name in used
        ]  # fmt: skip
        attributes = self._self_attributes(statements) if "self" in used else []
        if not self._writer.queries or attributes is None:
            return None
        body = [*parameters, *attributes, *statements]
        if not self._module.resolves(body):
            return None
        function = ast.parse(f"{define} case():\n    yield")
        function.body[0].body = body  # type: ignore[attr-defined]
        return Script(ast.unparse(ast.fix_missing_locations(function)), self._writer.queries)

    def _is_unused_constant(self, node: ast.stmt, used: set[str]) -> bool:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self._writer.constants and name not in used
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

    # ---- statements -------------------------------------------------------------------------------------------

    def _rewrite_all(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [part for node in nodes for part in self._rewrite(node)]

    def _rewrite(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statement as it goes into the sandbox, with assertions replaced by queries."""
        match node:
            case ast.Assert(test=test):
                return self._writer.write_assertion(test)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call):
                return self._rewrite_method(name, call)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if _asserts(self._module.helpers.get(name)):
                return self._inline_helper(self._module.helpers[name], call, is_method=False)
            case ast.Expr(value=ast.Call(func=ast.Attribute(), args=[_, _]) as call) if is_array_comparison(call):
                return self._writer.write_assertion(call)
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
            return [self._writer.write_exception(body, call.args[0], _message_pattern(name, call))]
        return [ast.With(node.items, self._rewrite_all(body))]

    def _rewrite_loop(self, node: ast.For) -> list[ast.stmt]:
        """Unroll a loop over a literal table, with queries of their own for each row; else keep a conditional loop."""
        rows = self._unrolled_rows(node)
        if rows is None:
            return [ast.For(node.target, node.iter, self._rewrite_conditional(node.body, bound_names(node)), [])]
        statements: list[ast.stmt] = []
        for row in rows:
            self._writer.constants |= row
            statements += [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in row.items()]
            statements += self._rewrite_all([copy.deepcopy(part) for part in node.body])
        return statements

    def _unrolled_rows(self, node: ast.For) -> list[ParameterSet] | None:
        """Return the values of the loop variables for each iteration; None if the loop cannot be unrolled."""
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
            node = self._writer.constants.get(node.id, self._module.constants.get(node.id, node))
        return node.elts if isinstance(node, ast.List | ast.Tuple) else None

    def _rewrite_conditional(self, body: Sequence[ast.stmt], rebound: set[str]) -> list[ast.stmt]:
        """Rewrite a block that may not run, or run several times; `rebound` names have no known value in it."""
        conditional, constants = self._writer.conditional, self._writer.constants
        self._writer.conditional = True
        self._writer.constants = {name: value for name, value in constants.items() if name not in rebound}
        try:
            return self._rewrite_all(body)
        finally:
            self._writer.conditional, self._writer.constants = conditional, constants

    # ---- assertions -------------------------------------------------------------------------------------------

    def _rewrite_method(self, name: str, call: ast.Call) -> list[ast.stmt]:
        """Rewrite a call of an assertion method of `self`."""
        args = call.args
        if name in _OPERATORS and len(args) > 1 and not call.keywords:
            return self._writer.write_assertion(ast.Compare(args[0], [_OPERATORS[name]()], [args[1]]))
        if name in _NONE_OPERATORS and args:
            return self._writer.write_assertion(ast.Compare(args[0], [_NONE_OPERATORS[name]()], [ast.Constant(None)]))
        if name == "assertTrue" and args:
            return self._writer.write_assertion(args[0])
        if name == "assertFalse" and args:
            return self._writer.write_assertion(ast.UnaryOp(ast.Not(), args[0]))
        if name == "assertRaises" and len(args) > 1:
            return [self._writer.write_exception([ast.Expr(ast.Call(args[1], args[2:], call.keywords))], args[0], None)]
        if _asserts(self._state.methods.get(name)):
            return self._inline_helper(self._state.methods[name], call, is_method=True)
        raise NotScriptable

    def _inline_helper(self, helper: Function, call: ast.Call, *, is_method: bool) -> list[ast.stmt]:
        """Make a helper that asserts a generator within the script, and yield its values where it is called."""
        if self._depth >= _DEEPEST_HELPER or isinstance(helper, ast.AsyncFunctionDef) or helper.decorator_list:
            raise NotScriptable
        if any(isinstance(inner, ast.Return | ast.Yield | ast.Await) for inner in ast.walk(helper)):
            raise NotScriptable
        self._depth += 1
        name, constants = self._writer.temporary_name("helper"), self._writer.constants
        parameters = {inner.arg for inner in ast.walk(helper.args) if isinstance(inner, ast.arg)}
        local = parameters | names_bound_by(helper.body)
        self._writer.constants = {word: value for word, value in self._module.constants.items() if word not in local}
        body = self._rewrite_all([copy.deepcopy(part) for part in helper.body if not is_docstring(part)])
        self._depth, self._writer.constants = self._depth - 1, constants
        arguments = copy.deepcopy(helper.args)
        if is_method:
            arguments.args = arguments.args[1:]
        definition = ast.FunctionDef(name, arguments, body, [], None, None, lineno=1)
        helper_call = ast.Call(ast.Name(name, ast.Load()), call.args, call.keywords)
        forward = ast.Expr(ast.Yield(ast.Name("_said", ast.Load())))
        return [definition, ast.For(ast.Name("_said", ast.Store()), helper_call, [forward], [])]


def _asserts(node: Function | None) -> bool:
    """True if a function of the test file asserts something."""
    if node is None:
        return False
    return any(
        isinstance(inner, ast.Assert) or (is_self_attribute(inner) and inner.attr.startswith("assert"))
        for inner in ast.walk(node)
    )


def _message_pattern(name: str, call: ast.Call) -> ast.expr | None:
    if name == "assertRaisesRegex":
        return call.args[1] if len(call.args) > 1 else None
    return next((keyword.value for keyword in call.keywords if keyword.arg == "match"), None)
