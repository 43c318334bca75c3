"""Read from the text of a function whether it has effects: values that stay the same in a loop, functions that only compute."""

import ast

from whet.phases.propose.repair.module import Module
from whet.pyast.functions import Function, parameters

_READING = {
    "count",
    "index",
    "get",
    "keys",
    "values",
    "items",
    "startswith",
    "endswith",
    "split",
    "strip",
    "lower",
    "upper",
}
_COMPUTING = {
    "abs", "all", "any", "bool", "divmod", "enumerate", "float", "int", "isinstance", "len", "max", "min", "ord", "pow",
    "range", "reversed", "round", "sorted", "str", "sum", "tuple", "zip",
}  # fmt: skip
_FORBIDDEN = (
    ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.Import, ast.ImportFrom, ast.Delete, ast.With, ast.Lambda,
)  # fmt: skip
_CHANGEABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


def stays_the_same(name: str, loop: ast.AST, module: Module) -> bool:
    """True if nothing in the loop seems to bind or change the value of a name."""
    for node in module.descendants(loop):
        if isinstance(node, ast.Name) and node.id == name:
            if not isinstance(node.ctx, ast.Load):
                return False
            parent = module.parents[node]
            if isinstance(parent, ast.Attribute) and parent.attr not in _READING:
                return False
            if isinstance(parent, ast.Subscript) and parent.value is node and not isinstance(parent.ctx, ast.Load):
                return False
            if isinstance(parent, ast.Call) and node in parent.args and not _only_computes(parent.func):
                return False
    return True


def is_pure(function: Function, module: Module) -> bool:
    """True if a function visibly only computes: known calls, no effects, and results that a caller cannot change."""
    if (
        isinstance(function, ast.AsyncFunctionDef)
        or function.args.vararg
        or function.args.kwarg
        or not isinstance(module.parents[function], ast.Module)
    ):
        return False
    known = {function.name, *parameters(function.args), *_COMPUTING}
    nodes = [node for statement in function.body for node in module.descendants(statement)]
    known |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, _FORBIDDEN) or (isinstance(node, Function) and node is not function):
            return False
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Call) and not (
            isinstance(node.func, ast.Name) and node.func.id in {function.name, *_COMPUTING}
        ):
            return False
        if isinstance(node, ast.Return) and (
            node.value is None or any(isinstance(part, _CHANGEABLE) for part in module.descendants(node.value))
        ):
            return False
    return True


def _only_computes(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in _COMPUTING | {"set", "frozenset", "list", "dict", "print"}
