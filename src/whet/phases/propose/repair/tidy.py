"""Clean up the text around an edit: parentheses that it made redundant, and `not x is None`.

Parentheses that were redundant before the edit are the file's own style and stay.
"""

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from whet.phases.propose.repair.candidate import Replacement, apply
from whet.phases.propose.repair.module import ATOMS

_INVERTED: dict[type[ast.cmpop], str] = {
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Eq: "!=",
    ast.NotEq: "==",
}
_OPERATOR = re.compile(r"is\s+not\b|not\s+in\b|is\b|in\b|==|!=")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_MOST_ROUNDS = 8
# a `not`, or a parenthesis that does not open a call
_MAY_NEED_TIDYING = re.compile(
    r"\bnot\b|(?<![\w)\]])\(|\b(?:and|assert|await|del|elif|else|if|in|is|lambda|or|return|while|yield)\("
)


class Tidier:
    """Removes what edits made redundant in one stretch of source, such as a function."""

    def __init__(self, before: str) -> None:
        self._before = before
        self._was_redundant: dict[tuple[int, int], bool] = {}
        self._chunk = Chunk(before)
        nodes = ast.walk(self._chunk.tree) if self._chunk.tree is not None else ()
        self._negations = {ast.dump(node) for node in nodes if _negated_comparison(node)}

    def tidy(self, replacements: Sequence[Replacement], chunk: "Chunk") -> str:
        """Return the text of `chunk` (the stretch with the replacements applied) without redundant parentheses.

        The AST stays the same, except that `not x is None` becomes `x is not None`.
        """
        touched = _touched(replacements, chunk.text)
        if not any(_MAY_NEED_TIDYING.search(chunk.lines_at(part)) for part in touched):
            return chunk.text  # most edits, without a look at the AST
        origins = _moved(range(len(self._before)), replacements)
        for _ in range(_MOST_ROUNDS):
            cleanup = self._plain_negation(chunk, touched) or self._redundant_pair(chunk, touched, origins)
            if not cleanup:
                break
            origins = _moved(origins, cleanup)
            chunk = Chunk(apply(chunk.text, cleanup))
        return chunk.text

    def _plain_negation(self, chunk: "Chunk", touched: Sequence[range]) -> Sequence[Replacement]:
        """Return the rewrite of a `not x is None` that the edit brought in, as `x is not None`; empty if none."""
        for statement in chunk.statements_at(touched):
            for node in _own_expressions(statement):
                compare = _negated_comparison(node)
                if compare is None or ast.dump(node) in self._negations:
                    continue
                gap = chunk.span(compare.left)[1], chunk.span(compare.comparators[0])[0]
                start, end = chunk.span(compare)
                between = _OPERATOR.sub(_INVERTED[type(compare.ops[0])], chunk.text[gap[0] : gap[1]], count=1)
                text = chunk.text[start : gap[0]] + between + chunk.text[gap[1] : end]
                return [Replacement(*chunk.span(node), text)]
        return ()

    def _redundant_pair(
        self, chunk: "Chunk", touched: Sequence[range], origins: Sequence[int]
    ) -> Sequence[Replacement]:
        """Return the removal of a pair of parentheses that the edit made redundant; empty if there is none."""
        for statement in chunk.statements_at(touched):
            pairs = list(_pairs(statement, chunk))
            start, header = chunk.header(statement) if pairs else (0, "")
            dump = _dump(header)
            for left, right in pairs:
                shorter = apply(header, _removal(header, left - start, right - start))
                if not dump or _dump(shorter) != dump:
                    continue
                if not self._own_style(origins[left], origins[right], chunk.text[left + 1 : right]):
                    return _removal(chunk.text, left, right)
        return ()

    def _own_style(self, left: int, right: int, inner: str) -> bool:
        """True if the file had these parentheses before the edit, although they were redundant there.

        `(a or b)` that has become `(a)` is not the file's own style.
        """
        if left < 0 or right < 0:
            return False  # the edit brought them in
        if (left, right) not in self._was_redundant:
            shorter = Chunk(apply(self._before, _removal(self._before, left, right)))
            self._was_redundant[left, right] = self._chunk.same_program(shorter)
        if not self._was_redundant[left, right]:
            return False
        return not _is_atom(inner) or _is_atom(self._before[left + 1 : right])


class Chunk:
    """A stretch of whole lines with its AST; `tree` is None if the text does not parse."""

    def __init__(self, text: str) -> None:
        self.text = text
        bare = text.removeprefix("\ufeff")
        self._indented = bare[:1].isspace()
        try:
            self.tree: ast.Module | None = ast.parse(f"if 1:\n{bare}" if self._indented else bare)
        except (SyntaxError, ValueError):
            self.tree = None
        self._starts: list[int] = []

    def same_program(self, other: "Chunk") -> bool:
        return self.tree is not None and other.tree is not None and ast.dump(self.tree) == ast.dump(other.tree)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._offset(node.lineno, node.col_offset), self._offset(last, column)

    def header(self, statement: ast.stmt) -> tuple[int, str]:
        """Return the offset and text of a statement alone; the body of a compound statement becomes `pass`."""
        start, end = self.span(statement)
        if self.text.startswith("elif", start):
            start += 2  # `elif x:` parses alone as `if x:`
        body = getattr(statement, "body", None)
        if isinstance(body, list) and body:
            return start, f"{self.text[start : self.span(body[0])[0]]}pass"
        return start, self.text[start:end]

    def statements_at(self, offsets: Sequence[range]) -> Iterator[ast.stmt]:
        """Yield the statements whose own lines, without those of inner statements, overlap some of the offsets."""
        lines = [range(self._line(part.start), self._line(part.stop) + 1) for part in offsets]
        waiting = list(self.tree.body) if self.tree is not None else []
        if self._indented:  # the lines stand below an `if` that was put in front of them
            waiting = list(_inner_statements(waiting[0])) if waiting else []
        while waiting:
            statement = waiting.pop()
            if not any(statement.lineno < part.stop and part.start <= (statement.end_lineno or 0) for part in lines):
                continue
            inner = list(_inner_statements(statement))
            last = max(
                min((item.lineno for item in inner), default=(statement.end_lineno or 0) + 1) - 1, statement.lineno
            )
            if any(statement.lineno < part.stop and part.start <= last for part in lines):
                yield statement
            waiting += inner

    def lines_at(self, offsets: range) -> str:
        """Return the text of the lines that the offsets touch."""
        start = self.text.rfind("\n", 0, offsets.start) + 1
        end = self.text.find("\n", offsets.stop)
        return self.text[start : end if end >= 0 else None]

    def _offset(self, line: int, column: int) -> int:
        self._locate_lines()
        start = self._starts[line - 1 - self._indented]
        if self.text.isascii():
            return start + column
        return start + len(self.text[start : start + column].encode()[:column].decode(errors="ignore"))

    def _line(self, offset: int) -> int:
        """Return the line number, as the AST counts it, of a character offset."""
        self._locate_lines()
        return bisect_right(self._starts, offset) + self._indented

    def _locate_lines(self) -> None:
        if not self._starts:
            first = 1 if self.text.startswith("\ufeff") else 0
            self._starts = [first, *(match.end() for match in _NEWLINE.finditer(self.text))]


def _inner_statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement without inner statements and f-strings.

    Before Python 3.12 the positions inside an f-string may be wrong.
    """
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            yield node
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case | ast.JoinedStr)
        ]


def _pairs(statement: ast.stmt, chunk: Chunk) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each pair of parentheses that stands directly around an expression of the statement."""
    text = chunk.text
    for node in _own_expressions(statement):
        left, right = chunk.span(node)
        while left > 0 and text[left - 1] in " \t":
            left -= 1
        while right < len(text) and text[right] in " \t":
            right += 1
        if text[left - 1 : left] == "(" and text[right : right + 1] == ")":
            yield left - 1, right


def _removal(text: str, left: int, right: int) -> Sequence[Replacement]:
    """Return the replacements that take out two parentheses with the blanks inside; words beside them stay apart."""
    inner = text[left + 1 : right]
    start = left + 1 + len(inner) - len(inner.lstrip(" \t"))
    end = right - (len(inner) - len(inner.rstrip(" \t")))
    ahead, behind = text[left - 1 : left], text[right + 1 : right + 2]
    return (
        Replacement(left, start, " " if ahead.isalnum() or ahead == "_" else ""),
        Replacement(end, right + 1, " " if behind.isalnum() or behind == "_" else ""),
    )


def _negated_comparison(node: ast.AST) -> ast.Compare | None:
    """Return the comparison in `not x is None`, if an operator exists that says the same without the `not`."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[operator]) as compare) if type(operator) in _INVERTED:
            return compare
    return None


def _touched(replacements: Sequence[Replacement], after: str) -> Sequence[range]:
    """Return the stretches of the changed text that the replacements wrote, empty where they only deleted."""
    touched, shift = [], 0
    for replacement in sorted(replacements, key=lambda item: item.start):
        start = replacement.start + shift
        touched.append(range(start, min(start + len(replacement.text), len(after))))
        shift += len(replacement.text) - (replacement.end - replacement.start)
    return touched


def _moved(origins: Sequence[int], replacements: Sequence[Replacement]) -> Sequence[int]:
    """Return the offset before the edit of each character after the replacements; -1 for new characters."""
    moved = list(origins)
    for replacement in sorted(replacements, key=lambda item: item.start, reverse=True):
        moved[replacement.start : replacement.end] = [-1] * len(replacement.text)
    return moved


def _is_atom(text: str) -> bool:
    try:
        return isinstance(ast.parse(text.strip(), mode="eval").body, ATOMS)
    except (SyntaxError, ValueError):
        return False


def _dump(text: str) -> str:
    try:
        return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return ""
