"""Rewrite tests without changing their meaning, so that a patch cannot recognise them by their source text."""

import ast
import secrets
from collections.abc import Collection

from whet.phases.validate.integrity.test_ids import functions
from whet.pyast.functions import Function


def rephrase(source: bytes, names: Collection[str]) -> bytes | None:
    """Insert an unused assignment at the top of each named function; None if the file cannot be parsed as UTF-8."""
    try:
        tree, text = ast.parse(source), source.decode()
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = text.splitlines(keepends=True)
    chosen = [node for name, node in functions(tree) if name in names]
    # From the bottom up, so that an insertion does not move the line numbers of the functions still to come.
    for node in sorted(chosen, key=lambda node: -node.lineno):
        _insert_assignment(node, lines)
    return f"{''.join(lines).rstrip()}\n\n# {secrets.token_hex(8)}\n".encode()


def _insert_assignment(node: Function, lines: list[str]) -> None:
    has_docstring = ast.get_docstring(node, clean=False) is not None and len(node.body) > 1
    first = node.body[1] if has_docstring else node.body[0]
    decorators = getattr(first, "decorator_list", [])
    index = min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    indent = lines[index][: first.col_offset]
    if not indent.isspace():
        return  # the body begins on the line of the `def`, or after a semicolon
    lines.insert(index, f"{indent}_{secrets.token_hex(4)} = {secrets.randbelow(10**6)}\n")
