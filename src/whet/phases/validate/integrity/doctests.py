"""An example in a docstring is a test that lives in the code; one that a patch edits judges nothing any more."""

import ast
import contextlib
import doctest
from collections import Counter


def is_doctest(test: str) -> bool:
    """Its id names a module and what is in it, not a function that pytest calls; a text file has nothing else."""
    path, _, name = test.partition("::")
    stem = path.removesuffix(".py").rpartition("/")[2]
    return bool(name) and (not path.endswith(".py") or name == stem or "." in name.partition("[")[0])


def lost(path: str, old: str, new: str) -> str:
    """An example of `old` that `new` does not have, or has with another outcome or to be skipped; else empty."""
    gone = _examples(path, old) - _examples(path, new)
    return next((source.strip() for source, _ in gone), "")


def _examples(path: str, text: str) -> "Counter[tuple[str, str]]":
    found: Counter[tuple[str, str]] = Counter()
    if ">>>" not in text:
        return found
    try:
        for part in _texts(path, text):
            found.update((one.source, one.want) for one in doctest.DocTestParser().get_examples(part))
    except (SyntaxError, ValueError, RecursionError):
        return Counter()
    return found


def _texts(path: str, text: str) -> list[str]:
    """Where examples are looked for: the strings of a Python file, the whole of any other."""
    if not path.endswith(".py"):
        return [text]
    constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def examples_as_code(path: str, text: str) -> list[ast.AST]:
    """What the examples ask and expect, as far as it is Python."""
    found: list[ast.AST] = []
    for one in (part for both in _examples(path, text) for part in both):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            found.append(ast.parse(one))
    return found
