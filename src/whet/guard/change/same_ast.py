"""Comparison of two Python texts by what runs: comments, formatting and docstrings do not count."""

import ast

from whet.pyast.functions import docstrings


def same_program(old: str, new: str) -> bool:
    """True if both texts are Python and run the same."""
    before = _program(old)
    return before is not None and before == _program(new)


def _program(text: str) -> str | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for docstring in docstrings(tree):
        docstring.value = ""
    return ast.dump(tree)
