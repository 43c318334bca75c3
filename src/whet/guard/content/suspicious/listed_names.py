"""Flags for names, imports and string constants that the vocabulary lists."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import (
    ALWAYS_COMPILED,
    CONTROL_CHARACTERS,
    ENCODED,
    ENCODED_BLOB,
    IF_MORE_COMPILED,
    IF_NEW_COMPILED,
    INTERNALS,
    ORDINARY_IMPORT,
    PURE_MODULES,
    REEXPORTED_ALIASES,
    REVEALING_TEXT,
    RISKY_MODULES,
    TEST_MODULE,
)  # fmt: skip


def name_flags(line: int, name: str) -> Iterator[Flag]:
    """Flag a full name that the vocabulary lists."""
    for what, expression in ALWAYS_COMPILED.items():
        if expression.fullmatch(name):
            yield Flag(line, what, name)
    for what, expression in IF_MORE_COMPILED.items():
        if expression.fullmatch(name):
            yield Flag(line, what, name, only_if_more=True)
    for what, expression in IF_NEW_COMPILED.items():
        if expression.fullmatch(name):
            yield Flag(line, what, name, only_if_new=True)


def import_flags(line: int, name: str) -> Iterator[Flag]:
    """Flag an imported name: listed, private or `*`, or of a risky module or a test module."""
    yield from name_flags(line, name)
    for what, expression in ALWAYS_COMPILED.items():
        if expression.fullmatch(f"{name}.x") and not expression.fullmatch(name):
            yield Flag(line, what, name)
    module = name.partition(".")[0]
    if module in RISKY_MODULES and not ORDINARY_IMPORT.fullmatch(name):
        yield Flag(line, "imports a module that does more than compute: {name}", module, only_if_new=True)
    if name.startswith("_") and not name.startswith("__future__"):
        yield Flag(line, INTERNALS, name)
    if TEST_MODULE.fullmatch(name):
        yield Flag(line, "imports a test module: {name}", name)
    if name.endswith(".*") and not name.startswith("."):
        yield Flag(line, "imports names without listing them: {name}", name, only_if_new=True)


def reexport_flags(line: int, name: str) -> Iterator[Flag]:
    """Flag a risky module that is reached as an attribute of a pure one (`collections._sys`)."""
    root, *attributes = name.split(".")
    if root not in PURE_MODULES:
        return
    for attribute in attributes:
        is_private = attribute.startswith("_") and not attribute.endswith("__")
        is_module = attribute in RISKY_MODULES and (root, attribute) != ("datetime", "time")
        if is_private or is_module or attribute in REEXPORTED_ALIASES:
            yield Flag(line, "reaches a module through another one: {name}", name)


def constant_flags(node: ast.Constant) -> Iterator[Flag]:
    """Flag a text on each of its lines, because a change may have added a word to a longer text."""
    text = node.value.decode("latin-1") if isinstance(node.value, bytes) else str(node.value)
    revealing = REVEALING_TEXT.search(text)
    is_encoded = ENCODED_BLOB.search(text) or CONTROL_CHARACTERS.search(text)
    for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        if revealing:
            yield Flag(line, "names parts of tests, the sandbox or the interpreter: {name}", revealing[0])
        if is_encoded:
            yield Flag(line, ENCODED, ascii(text[:20]))
