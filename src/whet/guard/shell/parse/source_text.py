"""A command text with its syntax tree: the text of a node, and its place in the judged text."""

import re
from abc import ABC, abstractmethod

from tree_sitter import Node

from whet.guard.shell.model.harm import Span
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.parse.words import Words

# In these nodes the grammar keeps plain text without a node of its own.
_HOLD_PLAIN_TEXT = frozenset(
    {"string", "heredoc_body", "expansion", "heredoc_redirect", "program", "ansi_c_string", "translated_string"}
)


# Words without quotes, expansions or redirections: the grammar never skips a part of these.
_PLAIN = re.compile(r"[\w ./:=@%+,~-]*", re.ASCII)


class SourceText(ABC):
    """The base of the evaluator: it knows the text that is evaluated.

    `at` is set for a nested text: everything found in it is reported at the span of the outer word.
    """

    def __init__(self, state: ShellState, source: str, *, at: Span | None = None, via: tuple[str, ...] = ()) -> None:
        self.state = state
        self._source = source
        self._bytes = source.encode("utf-8", "replace")
        self._is_ascii = len(self._bytes) == len(source)
        self._at = at
        self._via = via
        self._words = Words(state, self._text, self._substitution_output, self._expand_backticks)
        self._tree_depth = 0

    def _skips_text(self, root: Node) -> bool:
        """True if a part of the text is neither in a node nor blank. tree-sitter-bash skips text in rare cases."""
        if _PLAIN.fullmatch(self._source):
            return False
        source, pending = self._bytes, [root]
        while pending:
            node = pending.pop()
            children = node.children
            if not children:
                continue
            if node.type not in _HOLD_PLAIN_TEXT:
                end = node.start_byte
                for child in children:
                    start = child.start_byte
                    skipped = source[end:start].strip(b" \t\n\r\\") if start > end else b""
                    if start > end and node.type == "concatenation" and source[end:start].replace(b"\\\n", b""):
                        return True
                    if skipped and not (child.type == "heredoc_redirect" and skipped == b"-"):
                        return True
                    end = child.end_byte
            pending.extend(children)
        return False

    def _text(self, node: Node) -> str:
        if self._is_ascii:
            return self._source[node.start_byte : node.end_byte]
        return self._bytes[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _span(self, node: Node) -> Span:
        if self._at is not None:
            return self._at
        if self._is_ascii:
            return node.start_byte, node.end_byte
        before = len(self._bytes[: node.start_byte].decode("utf-8", "replace"))
        return before, before + len(self._text(node))

    @abstractmethod
    def _substitution_output(self, node: Node) -> str: ...

    @abstractmethod
    def _expand_backticks(self, text: str) -> str: ...
