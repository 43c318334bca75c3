"""Marks for one full name and for one constant."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import (
    ALWAYS_COMPILED,
    BLOB,
    CONTROLS,
    HARMLESS,
    MORE_COMPILED,
    NEW_COMPILED,
    ORDINARY,
    OTHERWISE,
    ROOTS,
    TELLING_TEXT,
    TESTS,
)  # fmt: skip


def by_name(line: int, name: str, *, imports: bool = False) -> Iterator[Flag]:
    for what, expression in ALWAYS_COMPILED:
        if expression.fullmatch(name) or (imports and expression.fullmatch(f"{name}.x")):
            yield Flag(line, what, name)
    for what, expression in MORE_COMPILED:
        if expression.fullmatch(name):
            yield Flag(line, what, name, only_if_more=True)
    for what, expression in NEW_COMPILED:
        if expression.fullmatch(name):
            yield Flag(line, what, name, only_if_new=True)
    if imports and name.partition(".")[0] in ROOTS and not ORDINARY.fullmatch(name):
        yield Flag(line, "brings in a module that leads further", name.partition(".")[0], only_if_new=True)
    if imports and name.startswith("_") and not name.startswith("__future__"):
        yield Flag(line, "reaches under the language", name)
    if imports and TESTS.fullmatch(name):
        yield Flag(line, "speaks to the tests", name)
    if imports and name.endswith(".*") and not name.startswith("."):
        yield Flag(line, "imports names that are not written down", name, only_if_new=True)


def through(line: int, name: str) -> Iterator[Flag]:
    """A harmless module has others in its names (`collections._sys`), which are not harmless."""
    root, *parts = name.split(".")
    for part in parts if root in HARMLESS else ():
        hidden = part.startswith("_") and not part.endswith("__")
        if hidden or part in OTHERWISE or (part in ROOTS and (root, part) != ("datetime", "time")):
            yield Flag(line, "reaches a module through another", name)


def by_constant(node: ast.Constant) -> Iterator[Flag]:
    """On each of its lines: a word may have been added to a text that was there before."""
    text = node.value.decode("latin-1") if isinstance(node.value, bytes) else str(node.value)
    found = TELLING_TEXT.search(text)
    for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        if found:
            yield Flag(line, "names what belongs to tests, to the sandbox or to the inside of the language", found[0])
        if BLOB.search(text) or CONTROLS.search(text):
            yield Flag(line, "hides what it does", "blob")
