import ast
from collections.abc import Iterator


def functions(tree: ast.Module | None) -> dict[str, ast.AST]:
    """Every function by its dotted name, and the module itself under the empty name, without what is in them."""
    if tree is None:
        return {}
    outside = ast.Module(body=[node for node in tree.body if not isinstance(node, _DEFINES)], type_ignores=[])
    return {"": outside, **dict(_below(tree, ""))}


def _below(place: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(place):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _below(node, f"{prefix}{node.name}.")
        else:
            yield from _below(node, prefix)


_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
