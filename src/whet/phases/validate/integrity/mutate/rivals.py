"""Other fixes of the functions that a patch edits: the base's function with one likely edit, in the patched file."""

import ast
from collections.abc import Callable, Iterator

from whet.phases.validate.integrity.mutate.patch_mutant import RIVAL, PatchMutant
from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction
from whet.pyast.functions import Function, functions

LikelyEdits = Callable[[str, str, str, range], Iterator[tuple[str, str]]]


def rivals(function: ChangedFunction, old: str, new: str, likely_edits: LikelyEdits) -> Iterator[PatchMutant]:
    """Yield the patched file with the base's version of the function, then the same with each likely edit of it."""
    text = with_function_of(new, old, function.name)
    if text is None:
        return
    yield PatchMutant(function.path, function.after.line, f"`{function.name}` as on the base", text, RIVAL)
    lines = _lines(text, function.name)
    for words, source in likely_edits(function.path, text, function.name, lines) if lines else ():
        yield PatchMutant(function.path, function.after.line, words, source, RIVAL)


def with_function_of(text: str, other: str, name: str) -> str | None:
    """Return the text with a function as it stands in the other text; None if one of the two does not have it."""
    here, there = _lines(text, name), _lines(other, name)
    if here is None or there is None:
        return None
    before, after = text.splitlines(keepends=True), other.splitlines(keepends=True)
    return "".join([*before[: here.start - 1], *after[there.start - 1 : there.stop - 1], *before[here.stop - 1 :]])


def _lines(text: str, name: str) -> range | None:
    """Return the lines of a function with its decorators; None if the text has no such function."""
    try:
        node = functions(ast.parse(text)).get(name)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not isinstance(node, Function):
        return None
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return range(first, (node.end_lineno or node.lineno) + 1)
