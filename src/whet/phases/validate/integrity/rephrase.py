"""The same tests, written a little differently: who knows a test by its text does not know it any more."""

import ast
import secrets
from collections.abc import Collection

from whet.phases.validate.integrity.test_ids import Function, functions


def rewritten(source: bytes, names: Collection[str]) -> bytes | None:
    """One statement that does nothing at the top of each of these functions; None where the file is not plain Python."""
    try:
        tree, text = ast.parse(source), source.decode()
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = text.splitlines(keepends=True)
    chosen = [node for name, node in functions(tree) if name in names]
    for node in sorted(chosen, key=lambda node: -node.lineno):
        _insert(node, lines)
    return f"{''.join(lines).rstrip()}\n\n# {secrets.token_hex(8)}\n".encode()


def _insert(node: Function, lines: list[str]) -> None:
    first = node.body[1] if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1 else node.body[0]
    number = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
    before = lines[number][: first.col_offset]
    if not before.isspace():
        return  # on one line with something else
    lines.insert(number, f"{before}_{secrets.token_hex(4)} = {secrets.randbelow(10**6)}\n")
