"""Apply a rule to source code."""

import ast
import re
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whet.domain.pattern import Rule
from whet.knowledge.syntax import NESTING, parse, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)")


@dataclass(frozen=True)
class AppliedRule:
    """One place at which a rule matches: the lines, from 1, the code there, and the code that replaces it.

    `start` and `end` are where the code is in the file, in characters; `source` is the rewritten file.
    """

    first_line: int
    last_line: int
    code: str
    start: int
    end: int
    replacement: str
    source: str


def places(rule: Rule, source: str, root: "SgNode | None" = None) -> Iterator["SgNode"]:
    """Yield the nodes that a rule matches. A search text that is no valid pattern matches nothing."""
    try:
        yield from (root or parse(source)).find_all(pattern=rule.search)
    except (RuntimeError, ValueError):  # ast-grep's errors about the pattern
        return


def applications(
    rule: Rule, source: str, root: "SgNode | None" = None, lines: Collection[int] | None = None
) -> Iterator[AppliedRule]:
    """Yield every place at which the rule matches, its rewrite gives valid Python, and it is not rewritten already.

    `lines` limits the places to those that include one of these lines, because every rewrite parses the file again.
    """
    for node in places(rule, source, root):
        reach, (start, end) = node.range(), span(node)
        first, last = reach.start.line + 1, reach.end.line + 1
        if lines is not None and not any(line in lines for line in range(first, last + 1)):
            continue
        replacement = _replacement(rule, source, node)
        if replacement is not None and not _is_rewritten(source, node, replacement):
            rewritten = source[:start] + replacement + source[end:]
            yield AppliedRule(first, last, node.text(), start, end, replacement, rewritten)


def _is_rewritten(source: str, node: "SgNode", replacement: str) -> bool:
    """True if the match is the part of the rewritten code that the rule keeps, so that it would be added twice."""
    (start, end), code = span(node), node.text()
    before, found, after = replacement.partition(code)
    if not found:
        return False
    around = 2 * len(replacement) + 200
    text_before, text_after = source[max(start - around, 0) : start], source[end : end + around]
    return _squeezed(text_before).endswith(_squeezed(before)) and _squeezed(text_after).startswith(_squeezed(after))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _replacement(rule: Rule, source: str, node: "SgNode") -> str | None:
    """Return the code that replaces one match; None if the file would not be valid Python.

    Matched expressions get parentheses only where the result would mean something else without them.
    """
    start, end = span(node)
    bare, wrapped = (_filled(rule, source, node, parentheses=parentheses) for parentheses in (False, True))
    meant = meaning(source[:start] + wrapped + source[end:])
    if meant is None:
        return None
    return bare if bare == wrapped or meaning(source[:start] + bare + source[end:]) == meant else wrapped


def _filled(rule: Rule, source: str, node: "SgNode", *, parentheses: bool) -> str:
    def text(match: re.Match[str]) -> str:
        bound = node.get_match(match.group(1))
        if bound is None:
            return match.group(0)
        return f"({bound.text()})" if parentheses and bound.kind() in NESTING else bound.text()

    start = span(node)[0]
    indent = source[source.rfind("\n", 0, start) + 1 : start]
    indent = indent[: len(indent) - len(indent.lstrip())]
    return VARIABLE.sub(text, rule.rewrite.replace("\n", f"\n{indent}"))


def meaning(source: str) -> str | None:
    """Return the syntax tree of the source as text; None if it is not valid Python."""
    try:
        with warnings.catch_warnings(action="ignore"):  # the code is only compared; its warnings are its owner's
            return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
