"""Parameter sets of a test: those of `pytest.mark.parametrize`, and pure fixtures."""

import ast
from collections.abc import Sequence

from whet.phases.validate.integrity.oracle.test_module import ModuleNames
from whet.pyast.functions import Function

ParameterSet = dict[str, ast.expr]
_HARMLESS_MARKS = ("pytest.mark.asyncio", "pytest.mark.anyio")


def parameter_sets(node: Function, module: ModuleNames) -> list[ParameterSet] | None:
    """Return the parameter sets of a test, an empty one for a test without parameters.

    None if a parameter is neither a literal table nor a pure fixture, or if the test has any other decorator.
    """
    if node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
        return None
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    decorators = [
        decorator for decorator in node.decorator_list if not ast.unparse(decorator).startswith(_HARMLESS_MARKS)
    ]
    columns, rows = _parametrize_table(decorators, module)
    if columns is None or not set(columns) <= set(names):
        return None
    fixtures: ParameterSet = {}
    for name in names:
        if name not in columns:
            fixture = module.fixture_call(name)
            if fixture is None:
                return None
            fixtures[name] = fixture
    if not columns:
        return [fixtures]
    sets: list[ParameterSet] = []
    for row in rows:
        values = row_values(row, columns)
        if values is None:
            return None
        sets.append({**fixtures, **values})
    return sets


def row_values(node: ast.expr, columns: Sequence[str]) -> ParameterSet | None:
    """Return the values of one row of a table by column; None if they do not fit or carry marks of their own."""
    if isinstance(node, ast.Call):
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "param"):
            return {columns[0]: node} if len(columns) == 1 else None
        if any(keyword.arg == "marks" for keyword in node.keywords):
            return None
        values: Sequence[ast.expr] = node.args
    elif len(columns) == 1:
        values = [node]
    else:
        values = node.elts if isinstance(node, ast.Tuple | ast.List) else ()
    if len(values) != len(columns) or any(isinstance(value, ast.Starred) for value in values):
        return None
    return dict(zip(columns, values, strict=True))


def _parametrize_table(decorators: Sequence[ast.expr], module: ModuleNames) -> tuple[list[str] | None, list[ast.expr]]:
    """Return the columns and rows of the only decorator, a `parametrize` with a literal table.

    No columns if there is no decorator; None instead of columns for any other decorators.
    """
    match decorators:
        case []:
            return [], []
        case [ast.Call(func=ast.Attribute(attr="parametrize"), args=[ast.Constant(value=str() as text), table])]:
            columns = [column.strip() for column in text.split(",")]
        case [ast.Call(func=ast.Attribute(attr="parametrize"), args=[ast.List() | ast.Tuple() as names, table])]:
            columns = [
                name.value for name in names.elts if isinstance(name, ast.Constant) and isinstance(name.value, str)
            ]
        case _:
            return None, []
    (call,) = decorators
    if not isinstance(call, ast.Call) or any(keyword.arg != "ids" for keyword in call.keywords):
        return None, []
    if isinstance(table, ast.Name):
        table = module.constants.get(table.id, table)
    return (columns, table.elts) if isinstance(table, ast.List | ast.Tuple) else (None, [])
