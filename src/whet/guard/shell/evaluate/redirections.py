"""Redirections and heredocs: the text on a command's standard input, and the files it reads and writes."""

import re
from abc import abstractmethod
from dataclasses import dataclass, field

from tree_sitter import Node

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT, PROCESS_FILE, UNKNOWN
from whet.guard.shell.parse.source_text import SourceText

_BACKTICKS = re.compile(r"(?<!\\)`((?:\\.|[^`\\])*)`", re.DOTALL)
_PARTS_OF_HEREDOC = ("heredoc_start", "heredoc_body", "heredoc_end", "file_redirect", "file_descriptor", "word")


@dataclass(slots=True)
class Streams:
    """The input and output of a command. `output_file` receives its standard output; "" if no file does."""

    stdin: str | None = None
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    output_file: str = ""
    appends: bool = False


class Redirections(SourceText):
    """The part of the evaluator that handles redirections."""

    def _apply_redirections(self, redirects: list[Node], streams: Streams) -> None:
        """Update `streams` with redirections, in the order in which they are written."""
        for node in redirects:
            if node.type == "heredoc_redirect":
                streams.stdin = stdin = self._heredoc(node)
                for child in node.children:
                    if child.type == "file_redirect":
                        streams.output_file = ""
                        self._apply_redirections([child], streams)
                        streams.stdin = stdin
            elif node.type == "herestring_redirect" or self._is_here_string(node):
                streams.stdin = "".join(self._words.value(child) for child in node.children if child.is_named) + "\n"
            else:
                self._redirect_file(node, streams)

    def _redirect_file(self, node: Node, streams: Streams) -> None:
        """Apply `< file`, `> file`, `>> file` and their variants."""
        operator = next((child.type for child in node.children if not child.is_named), ">")
        target = node.child_by_field_name("destination")
        if target is None:
            return
        path = self._words.value(target)
        if operator in ("&>", ">&", "<&", "&>>") and (path.rstrip("-").isdigit() or path == "-"):
            return  # `2>&1`: a file descriptor, not a file
        if operator.startswith("<") and operator != "<>":
            streams.reads.append(path)
            content = self._content_of(path)
            streams.stdin = streams.stdin if content is None else content
            return
        streams.writes.append(path)
        if self._text(node)[:1] != "2":
            streams.output_file = path
            streams.appends = operator.endswith(">>")

    def _is_here_string(self, node: Node) -> bool:
        """True for `<<< text` after another redirection; the grammar parses it as an error `<<` and a file `< text`."""
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
        """Return the arguments after a redirection (`cat > x -n y`), which the grammar puts below the redirection."""
        if redirect.type != "heredoc_redirect":
            return _children_in_field(redirect, "destination")[1:]
        strays: list[Node] = []
        for child in redirect.children:
            if child.type == "file_redirect":
                strays.extend(self._stray_arguments(child))
        return strays + _children_in_field(redirect, "argument")

    def _content_of(self, path: str) -> str | None:
        """Return the content of a file that is read; None if nothing is known of it."""
        if path.startswith(PROCESS_FILE):
            return self.state.substitution_output(path)
        if path in self.state.files:
            return self.state.files[path]
        if is_secret(path) or (path[:1] in ("/", "~", ".") and is_private(path)):
            return PRIVATE_CONTENT + UNKNOWN
        return None

    def _heredoc(self, node: Node) -> str:
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if body is None:
            return ""
        if start is not None and set(self._text(start)) & set("'\"\\"):
            return self._text(body)  # a quoted delimiter: nothing is expanded
        text = self._words.expand_between(body, body.start_byte, body.end_byte)
        return self._expand_backticks(text) if "`" in text else text

    def _expand_backticks(self, text: str) -> str:
        """Evaluate backticks in a text in which the grammar leaves them as plain characters."""
        return _BACKTICKS.sub(self._evaluate_backticks, text)

    def _evaluate_backticks(self, match: re.Match[str]) -> str:
        call = Call("", [], self._at or (0, len(self._source)), self._via)
        self.follow_text(re.sub(r"\\([`$\\])", r"\1", match[1]), call, "substitution")
        return UNKNOWN

    def _run_after_heredoc(self, redirects: list[Node], output: str) -> str:
        """Evaluate the rest of the line after `<<EOF`, which the grammar puts below the heredoc; return its output."""
        for node in redirects:
            if node.type != "heredoc_redirect":
                continue
            for child in node.children:
                if child.type == "pipeline":
                    output = self._continue_pipeline(child, output)
                elif child.is_named and child.type not in _PARTS_OF_HEREDOC:
                    self._run(child, None)
        return output

    def _continue_pipeline(self, node: Node, stdin: str) -> str:
        for child in node.children:
            if child.is_named and child.type == "list":
                for index, part in enumerate(child.children):
                    if part.is_named:
                        stdin = self._run(part, stdin if index == 0 else None)
            elif child.is_named:
                stdin = self._run(child, stdin)
        return stdin

    def _store_output(self, streams: Streams, output: str) -> str:
        """Remember output that goes to a file; return the output that does not."""
        path = streams.output_file
        if not path:
            return output
        before = self.state.files.get(path, "") if streams.appends else ""
        self.state.files[path] = before + output
        return ""

    @abstractmethod
    def _run(self, node: Node, stdin: str | None) -> str: ...

    @abstractmethod
    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None: ...


def _children_in_field(node: Node, name: str) -> list[Node]:
    return [child for index, child in enumerate(node.children) if node.field_name_for_child(index) == name]
