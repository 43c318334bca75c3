"""A text with its tree: what a node says, and where it stands in the text that was asked about."""

import re
from abc import ABC, abstractmethod

from tree_sitter import Node

from whet.guard.shell.model.harm import Span
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.parse.words import Words

_LOOSE = frozenset(
    {"string", "heredoc_body", "expansion", "heredoc_redirect", "program", "ansi_c_string", "translated_string"}
)


# Words and nothing that quotes, expands or redirects: there the grammar passes over nothing.
_PLAIN = re.compile(r"[\w ./:=@%+,~-]*", re.ASCII)


class SourceText(ABC):
    """A nested text has the place of the outer word for all that is found in it (`at`)."""

    def __init__(self, state: ShellState, source: str, *, at: Span | None = None, via: tuple[str, ...] = ()) -> None:
        self.state = state
        self._source = source
        self._bytes = source.encode("utf-8", "replace")
        self._is_ascii = len(self._bytes) == len(source)
        self._at = at
        self._via = via
        self._words = Words(state, self._text, self._substituted, self._of_backticks)
        self._tree_depth = 0

    def _leaves_out(self, root: Node) -> bool:
        """Whether the grammar passed over something that is neither a node nor blank, which it does here and there."""
        if _PLAIN.fullmatch(self._source):
            return False
        source, pending = self._bytes, [root]
        while pending:
            node = pending.pop()
            children = node.children
            if not children:
                continue
            if node.type not in _LOOSE:
                end = node.start_byte
                for child in children:
                    start = child.start_byte
                    passed_over = source[end:start].strip(b" \t\n\r\\") if start > end else b""
                    if start > end and node.type == "concatenation" and source[end:start].replace(b"\\\n", b""):
                        return True
                    if passed_over and not (child.type == "heredoc_redirect" and passed_over == b"-"):
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
    def _substituted(self, node: Node) -> str: ...

    @abstractmethod
    def _of_backticks(self, text: str) -> str: ...
