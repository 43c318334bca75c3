"""Syntax trees of Python source, as ast-grep reads them."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

BODIES = ("block", "module")
COMPOUND = frozenset(
    [
        "if_statement",
        "for_statement",
        "while_statement",
        "with_statement",
        "try_statement",
        "function_definition",
        "class_definition",
        "match_statement",
        "decorated_definition",
        "elif_clause",
        "else_clause",
        "except_clause",
        "finally_clause",
        "case_clause",
    ]
)
LITERALS = frozenset({"integer", "float", "string", "concatenated_string"})
NESTING = frozenset(
    [
        "binary_operator",
        "boolean_operator",
        "comparison_operator",
        "not_operator",
        "unary_operator",
        "conditional_expression",
        "lambda",
        "named_expression",
        "await",
        "yield",
    ]
)


def parse(source: str) -> "SgNode":
    from ast_grep_py import SgRoot

    return SgRoot(source, "python").root()


def is_broken(root: "SgNode") -> bool:
    """True if the text is not valid Python, or not one that the parser reads completely."""
    return root.find(kind="ERROR") is not None


def leaves(node: "SgNode") -> Iterator["SgNode"]:
    """Yield the leaves of a tree in order. A string without interpolation counts as one leaf."""
    children = node.children()
    if not children or (node.kind() == "string" and node.find(kind="interpolation") is None):
        yield node
        return
    for child in children:
        yield from leaves(child)


def is_name_of_something_else(leaf: "SgNode") -> bool:
    """True if an identifier names an attribute or a keyword argument, so that it is no variable."""
    parent = leaf.parent()
    if parent is None:
        return False
    field = {"attribute": "attribute", "keyword_argument": "name"}.get(parent.kind())
    named = parent.field(field) if field else None
    return named is not None and _span(named) == _span(leaf)


def _span(node: "SgNode") -> tuple[int, int]:
    reach = node.range()
    return reach.start.index, reach.end.index


def span(node: "SgNode") -> tuple[int, int]:
    """Return where a node begins and ends in the source, in characters."""
    return _span(node)


def local_names(source: str, line: int) -> tuple[frozenset[str], str]:
    """Return the names that the innermost function around a line binds, and the name of that function."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(), ""
    inner: ast.AST | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            inner = node  # ast.walk goes outside in
    if inner is None:
        return frozenset(), ""
    bound = {node.arg for node in ast.walk(inner) if isinstance(node, ast.arg)}
    bound |= {node.id for node in ast.walk(inner) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(bound), str(getattr(inner, "name", ""))
