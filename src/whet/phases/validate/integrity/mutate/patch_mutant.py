"""A version of a changed file in which one expression or statement is replaced."""

import ast
from dataclasses import dataclass

FORCED, LIMIT, TRUTH, OTHER = "forced condition", "limit", "truth of a value", "other"
REDUCED, LOSSY, PARAMETER = "reduced patch", "without a loss", "parameter for a literal"
KEEPING, FORGETFUL = "a look-up that keeps its dictionary", "without a memory"
NARROWER, SIBLING = "fewer exceptions caught", "a like function or number"
# In these versions the patch has a part less, or a condition less.
SIMPLER = (REDUCED, LOSSY, FORCED, PARAMETER)
_LONGEST = 60


@dataclass(frozen=True)
class PatchMutant:
    """A version of a changed file with one expression or statement of an added line changed.

    `kind` says what was changed:

    - FORCED: a new condition has one outcome; TRUTH: one on a value became a comparison with None;
    - LIMIT: a number that bounds something and is new to the file; SIBLING: another such number became the next, or a function
      became one that does the same for most inputs;
    - LOSSY: a step that drops a part of the data was left out; PARAMETER: a literal became a parameter which is not read;
    - KEEPING: a look-up no longer changes its dictionary; FORGETFUL: a memory is emptied with each call;
    - NARROWER: a handler catches what it caught on the base;
    - REDUCED: another part of the patch was left out or taken back; OTHER: anything else.
    """

    path: str
    line: int
    words: str
    source: str
    kind: str = OTHER


def replaced(path: str, source: str, node: ast.expr | ast.stmt, text: str, kind: str = OTHER) -> PatchMutant | None:
    """Return the source with one expression or statement replaced; None if the result is not Python."""
    lines = source.encode().splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset or 0 :]
    whole = isinstance(node, ast.stmt)
    middle = text.encode().replace(b"\n", b"\n" + head) if whole else f"({text})".encode()
    changed = b"".join([*lines[:first], head, middle, tail, *lines[last + 1 :]])
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError, RecursionError):
        return None
    words = f"`{_short(ast.unparse(node))}` replaced by `{_short(text)}`"
    return PatchMutant(path, node.lineno, words, changed.decode(), kind)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
