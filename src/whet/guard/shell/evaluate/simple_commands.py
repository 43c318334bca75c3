"""Assignments and simple commands: expand their words and redirections, and evaluate the resulting call."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from whet.guard.shell.evaluate.evaluate_command import evaluate_command
from whet.guard.shell.evaluate.nested_text import NestedText
from whet.guard.shell.evaluate.redirections import Streams
from whet.guard.shell.launchers.builtins import follow_subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, UNKNOWN
from whet.guard.shell.model.state import MAX_VALUES
from whet.guard.shell.parse import brace_expansion
from whet.guard.shell.rules.environment import is_influential

_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_INDEXED = re.compile(r"^\[\w+\]=")
_CONTINUED_LINE = re.compile(r"(\\\n)+")
_MAX_ELEMENTS = 64


@dataclass(slots=True)
class _Parts:
    """The parts of a simple command: its words, the nodes they come from, its assignments and redirections."""

    redirects: list[Node]
    words: list[str] = field(default_factory=list)
    word_nodes: list[tuple[str, Node]] = field(default_factory=list)
    assignments: list[tuple[str, str]] = field(default_factory=list)
    is_disguised: bool = False

    def add(self, words: list[str], node: Node) -> None:
        self.words.extend(words)
        if words:
            self.word_nodes.append((words[0], node))


class SimpleCommands(NestedText):
    """The part of the evaluator that handles assignments and simple commands."""

    def _assignment(self, node: Node, _: str | None) -> str:
        name, value = self._expand_assignment(node)
        if name:
            self._assign(node, name, value)
        return ""

    def _assignments(self, node: Node, stdin: str | None) -> str:
        for child in node.children:
            if child.type == "variable_assignment":
                self._assignment(child, stdin)
        return ""

    def _expand_assignment(self, node: Node) -> tuple[str, str]:
        """Return name and value of `name=value`. Arrays and their elements are stored here and returned as ("", "")."""
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None:
            return "", ""
        name = self._text(target)
        if value is None:
            return name, ""
        if value.type == "array":
            words = [word for child in value.children if child.is_named for word in self._words.fields(child)]
            self.state.arrays[name] = [_INDEXED.sub("", word) for word in words[:_MAX_ELEMENTS]]
            return "", ""
        text = self._words.value(value)
        if target.type == "subscript":
            self._words.follow_substitutions(target)
            self._assign_element(name, text)
            return "", ""
        if node.child_count > 1 and node.children[1].type == "+=":
            text = (self.state.value(name) or "") + text
        return name, text

    def _assign_element(self, target: str, text: str) -> None:
        """Assign `array[index]=text`; an index that is not the next or an earlier one adds an unknown element."""
        name, _, index = target.partition("[")
        index = index.rstrip("]")
        words = self.state.arrays.setdefault(name, [])
        if index.isdigit() and int(index[:4] or 0) <= len(words) < _MAX_ELEMENTS:
            words[int(index) : int(index) + 1] = [text]
        else:
            words.append(UNKNOWN)

    def _assign(self, node: Node, name: str, value: str) -> None:
        self.state.assign(name, value)
        if "[" in value and ("$(" in value or "`" in value):
            follow_subscripts(Call("", [value], self._span(node), self._via), self)
        if is_influential(name):
            evaluate_command(Call("", [], self._span(node), self._via), self, assignments=[(name, value)])

    def _declaration(self, node: Node, stdin: str | None) -> str:
        """Evaluate `export`, `declare`, `local`, `readonly`, `typeset`, `unset`."""
        words = [self._text(node.children[0])]
        for child in node.children[1:]:
            if child.type == "variable_assignment":
                self._assignment(child, stdin)
                name, _, value = self._text(child).partition("=")
                words.append(name)
                if "-n" in words and value.isidentifier():
                    self.state.references[name] = value
            else:
                words.extend(self._words.fields(child))
        return self._evaluate_words(words, node, stdin)

    def _evaluate_words(self, words: list[str], node: Node, stdin: str | None = None) -> str:
        """Evaluate a command given as words, at the place of `node`."""
        state = self.state
        call = Call(words[0], words[1:], self._span(node), self._via, stdin, cwd=state.cwd, links=state.links)
        return evaluate_command(call, self)

    def _redirected(self, node: Node, stdin: str | None) -> str:
        """Evaluate a statement with redirections: a simple command, or a group or loop."""
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child.type.endswith("_redirect")]
        if body is not None and body.type == "command":
            return self._command(body, stdin, redirects, dropped=self._dropped_words(body, redirects))
        streams = Streams(stdin)
        self._apply_redirections(redirects, streams)
        for redirect in redirects:
            for stray in self._stray_arguments(redirect):
                self._words.fields(stray)
        output_used, self.state.output_used = self.state.output_used, True
        output = self._run(body, streams.stdin) if body is not None else ""
        self.state.output_used = output_used
        if streams.reads or streams.writes:
            # A call without a name judges the files that are read and written; its input is the group's output.
            state = self.state
            call = Call(
                "", [], self._span(node), self._via, output, streams.writes, streams.reads, state.cwd, state.links
            )
            evaluate_command(call, self)
        output = self._store_output(streams, output)
        return self._run_after_heredoc(redirects, output)

    def _dropped_words(self, body: Node, redirects: list[Node]) -> list[str]:
        """Return the `-` arguments before a heredoc, which the grammar drops (`python - <<EOF`)."""
        if not redirects:
            return []
        between = self._bytes[body.end_byte : redirects[0].start_byte].decode("utf-8", "replace")
        return [word for word in between.split() if word == "-"]

    def _command(
        self,
        node: Node,
        stdin: str | None,
        redirects: Sequence[Node] = (),
        prefix: str = "",
        dropped: Sequence[str] = (),
    ) -> str:
        """Evaluate a simple command once for each choice of values of its variables; return the last output.

        `prefix` is a `{` that the grammar split from the command's name, `dropped` are words that it left out.
        """
        state = self.state
        outer_choice, outer_count = state.choice, state.choice_count
        state.choice, state.choice_count = 0, 1
        output = self._evaluate_once(node, stdin, redirects, prefix, dropped)
        for choice in range(1, min(state.choice_count, MAX_VALUES)):
            state.choice = choice
            output = self._evaluate_once(node, stdin, redirects, prefix, dropped)
        state.choice, state.choice_count = outer_choice, max(outer_count, 1)
        return output

    def _evaluate_once(
        self, node: Node, stdin: str | None, redirects: Sequence[Node], prefix: str, dropped: Sequence[str]
    ) -> str:
        """Evaluate a simple command for the current choice of values, and return its output."""
        parts = self._expand_parts(node, redirects, prefix)
        parts.words.extend(dropped)
        while parts.words and not parts.words[0]:
            parts.words.pop(0)  # `"$@"` without arguments expands to nothing
        streams = Streams(stdin)
        self._apply_redirections(parts.redirects, streams)
        if not parts.words:
            for name, value in parts.assignments:
                self.state.assign(name, value)
        call = self._call(node, parts, streams)
        self._check_words(call, parts)
        has_effect = parts.words or streams.writes or streams.reads or parts.assignments
        output = evaluate_command(call, self, assignments=parts.assignments) if has_effect else ""
        if not parts.redirects:
            return output
        output = self._store_output(streams, output)
        return self._run_after_heredoc(parts.redirects, output)

    def _expand_parts(self, node: Node, redirects: Sequence[Node], prefix: str) -> _Parts:
        """Expand the words and assignments of a command, and repair words that the grammar split or misplaced."""
        parts = _Parts(list(redirects))
        end, has_word_before = -1, False
        for child in node.children:
            kind = child.type
            if kind == "variable_assignment":
                parts.assignments.append(self._expand_assignment(child))
                continue
            if kind in _REDIRECTS:
                parts.redirects.append(child)
                continue
            if kind == "number" and self._bytes[child.end_byte : child.end_byte + 1] in (b"<", b">"):
                continue  # the descriptor of a redirection, which the grammar takes for an argument
            words = self._words.fields(child)
            if kind == "command_name":
                words = self._with_prefix(prefix, child) if prefix else words
                parts.is_disguised = _is_disguised(child)
            if has_word_before and self._touches(end, child.start_byte):
                # The grammar split one word in two: join the second part to the first.
                if words and parts.words[-1] != "$":
                    words = [parts.words.pop() + words[0], *words[1:]]
                if parts.words and parts.words[-1] == "$":
                    parts.words.pop()  # the `$` of $"...", a string to be translated
            parts.add(words, child)
            end, has_word_before = child.end_byte, bool(words)
        for redirect in parts.redirects:
            for stray in self._stray_arguments(redirect):
                parts.add(self._words.fields(stray), stray)
        return parts

    def _call(self, node: Node, parts: _Parts, streams: Streams) -> Call:
        return Call(
            parts.words[0] if parts.words else "",
            parts.words[1:],
            self._span(node),
            self._via,
            streams.stdin,
            streams.writes,
            streams.reads,
            self.state.cwd,
            self.state.links,
            self.state.output_used,
            parts.word_nodes,
            self._span,
        )

    def _check_words(self, call: Call, parts: _Parts) -> None:
        """Ask a person about words that expand to too many words, and about names that are written to be overlooked."""
        if self.state.too_many_words:
            self.state.too_many_words = False
            self.state.add_unresolved("the command has a word that expands to too many words", call.span)
        if parts.words and parts.is_disguised:
            reason = "disguises the name of a command with quotes or escapes"
            self.state.add_danger(Harm.CONCEALED, reason, call.span, raises=True)

    def _with_prefix(self, prefix: str, node: Node) -> list[str]:
        """Expand braces in a command's name (`{rm,-rf,/}`); the grammar takes the `{` for the start of a group."""
        text = prefix + self._text(node)
        marked = text.replace("{", OPEN_BRACE).replace(",", BRACE_COMMA).replace("}", CLOSE_BRACE)
        return brace_expansion.expand(marked) or [UNKNOWN]

    def _touches(self, end: int, start: int) -> bool:
        """True if nothing but continued lines stands between two byte offsets."""
        if end == start:
            return True
        return (
            start - end >= 2
            and _CONTINUED_LINE.fullmatch(self._bytes[end:start].decode("utf-8", "replace")) is not None
        )


def _is_disguised(name: Node) -> bool:
    """True if a name mixes quoted and unquoted pieces without a variable (`r'm'`), or has escapes (`$'\\x72m'`)."""
    if not name.child_count:
        return False
    first = name.children[0]
    if first.type == "ansi_c_string":
        return True
    source = first.text or b""
    if first.type == "word":
        return b"\\" in source[1:] and b"\\\n" not in source and b"\\ " not in source
    if first.type != "concatenation":
        return False
    kinds = {child.type for child in first.children}
    has_quotes = not kinds.isdisjoint(("raw_string", "string", "ansi_c_string"))
    has_expansion = not kinds.isdisjoint(("simple_expansion", "expansion", "command_substitution"))
    return has_quotes and not has_expansion and b"/" not in source
