"""Functions of a file: by name, their parameters, defaults and return statements."""

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module | None) -> dict[str, ast.AST]:
    """Return every function and method by dotted name; the empty name stands for the module without definitions.

    Functions inside functions are part of the outer one.
    """
    if tree is None:
        return {}
    module_level = [node for node in tree.body if not isinstance(node, Function | ast.ClassDef)]
    return {"": ast.Module(body=module_level, type_ignores=[]), **dict(_below(tree, ""))}


def _below(parent: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, Function):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _below(node, f"{prefix}{node.name}.")
        else:
            yield from _below(node, prefix)


def parameters(arguments: ast.arguments) -> tuple[str, ...]:
    """Return the names of the parameters, without `*args` and `**kwargs`."""
    return tuple(item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield each parameter that has a default, with that default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    yield from zip(reversed(positional), reversed(arguments.defaults), strict=False)
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield parameter, default


def own_returns(function: Function) -> Iterator[ast.Return]:
    """Yield the return statements of `function`, without those of functions inside it."""
    inside = [node for statement in function.body for node in ast.walk(statement)]
    nested = {id(node) for inner in inside if isinstance(inner, Function | ast.Lambda) for node in ast.walk(inner)}
    return (node for node in inside if isinstance(node, ast.Return) and id(node) not in nested)


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield every constant that stands alone as a statement: docstrings, and texts used as comments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def last_line(node: ast.expr) -> int:
    return node.end_lineno or node.lineno


def changed_functions(before: str, after: str) -> list[str]:
    """Return the functions and methods that are in both texts and differ by more than their place; none if one does not parse.

    Comments and formatting make no difference.
    """
    try:
        old, new = (functions(ast.parse(text)) for text in (before, after))
        return [name for name, node in new.items() if name in old and ast.dump(node) != ast.dump(old[name]) and name]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def first_line(text: str, name: str) -> int:
    """Return the line at which the function of this dotted name begins; 1 if it is not there."""
    try:
        node = functions(ast.parse(text)).get(name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 1
    return node.lineno if isinstance(node, Function) else 1
