"""Redirections and heredocs: what is fed to a command, and what catches its output."""

import re
from abc import abstractmethod

from tree_sitter import Node

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT, PROCESS_FILE, UNKNOWN
from whet.guard.shell.parse.source_text import SourceText

_BACKTICKS = re.compile(r"(?<!\\)`((?:\\.|[^`\\])*)`", re.DOTALL)


class Redirections(SourceText):
    def _apply_redirections(
        self, redirects: list[Node], feed: str | None, reads: list[str], writes: list[str]
    ) -> tuple[str | None, str]:
        """What the redirections feed, and the file that catches the output (">>" before it where it is added)."""
        output_file = ""
        for node in redirects:
            if node.type == "heredoc_redirect":
                feed = self._heredoc(node)
                for child in node.children:
                    if child.type == "file_redirect":
                        _, output_file = self._apply_redirections([child], feed, reads, writes)
            elif node.type == "herestring_redirect" or self._is_here_string(node):
                feed = "".join(self._words.value(child) for child in node.children if child.is_named) + "\n"
            else:
                operator = next((child.type for child in node.children if not child.is_named), ">")
                target = node.child_by_field_name("destination")
                if target is None:
                    continue
                path = self._words.value(target)
                if operator in ("&>", ">&", "<&", "&>>") and (path.rstrip("-").isdigit() or path == "-"):
                    continue
                if operator.startswith("<") and operator != "<>":
                    reads.append(path)
                    feed = self._read(path) if self._read(path) is not None else feed
                    continue
                writes.append(path)
                if self._text(node)[:1] != "2":
                    output_file = (">>" if operator.endswith(">>") else "") + path
        return feed, output_file

    def _is_here_string(self, node: Node) -> bool:
        """One that comes after another redirection is, to the grammar, an error and a file that is read."""
        before = node.prev_sibling
        return (
            node.type == "file_redirect"
            and before is not None
            and before.is_error
            and self._text(before) == "<<"
            and before.end_byte == node.start_byte
            and self._text(node)[:1] == "<"
        )

    def _stray_arguments(self, redirect: Node) -> list[Node]:
        """Arguments of the command that come after a redirection, which the grammar hangs on the redirection."""
        if redirect.type == "heredoc_redirect":
            nested = [
                stray
                for child in redirect.children
                if child.type == "file_redirect"
                for stray in self._stray_arguments(child)
            ]
            fields = enumerate(redirect.children)
            return nested + [child for place, child in fields if redirect.field_name_for_child(place) == "argument"]
        fields = enumerate(redirect.children)
        return [child for place, child in fields if redirect.field_name_for_child(place) == "destination"][1:]

    def _read(self, path: str) -> str | None:
        if path.startswith(PROCESS_FILE):
            return self.state.substitution_output(path)
        if path not in self.state.files and (is_secret(path) or (path[:1] in ("/", "~", ".") and is_private(path))):
            return PRIVATE_CONTENT + UNKNOWN
        return self.state.files.get(path)

    def _heredoc(self, node: Node) -> str:
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if body is None:
            return ""
        if start is not None and set(self._text(start)) & set("'\"\\"):
            return self._text(body)
        text = self._words.inside(body, body.start_byte, body.end_byte)
        return self._expand_backticks(text) if "`" in text else text

    def _expand_backticks(self, text: str) -> str:
        """Backticks that the grammar leaves as letters."""
        return _BACKTICKS.sub(self._backticks, text)

    def _backticks(self, match: re.Match[str]) -> str:
        call = Call("", [], self._at or (0, len(self._source)), self._via)
        self.follow_text(re.sub(r"\\([`$\\])", r"\1", match[1]), call, "substitution")
        return UNKNOWN

    def _run_after_heredoc(self, redirects: list[Node], printed: str) -> str:
        """The grammar hangs what follows a heredoc on its line below the heredoc itself."""
        for node in redirects:
            if node.type != "heredoc_redirect":
                continue
            for child in node.children:
                if child.type == "pipeline":
                    printed = self._piped(child, printed)
                elif child.is_named and child.type not in (
                    "heredoc_start",
                    "heredoc_body",
                    "heredoc_end",
                    "file_redirect",
                    "file_descriptor",
                    "word",
                ):
                    self._run(child, None)
        return printed

    def _piped(self, node: Node, feed: str) -> str:
        for child in node.children:
            if child.is_named and child.type == "list":
                for place, part in enumerate(child.children):
                    if part.is_named:
                        feed = self._run(part, feed if place == 0 else None)
            elif child.is_named:
                feed = self._run(child, feed)
        return feed

    def _store_output(self, output_file: str, printed: str) -> str:
        if not output_file:
            return printed
        path = output_file.removeprefix(">>")
        before = self.state.files.get(path, "") if output_file.startswith(">>") else ""
        self.state.files[path] = before + printed
        return ""

    @abstractmethod
    def _run(self, node: Node, feed: str | None) -> str: ...

    @abstractmethod
    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None: ...
