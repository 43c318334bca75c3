"""Assignments and simple commands: words, redirections and variables put together into a call."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from whet.guard.shell.evaluate.evaluate_command import evaluate_command
from whet.guard.shell.evaluate.nested_text import NestedText
from whet.guard.shell.launchers.builtins import follow_subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, UNKNOWN
from whet.guard.shell.model.state import MAX_VALUES
from whet.guard.shell.parse import brace_expansion
from whet.guard.shell.rules.environment import is_influential

_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_INDEXED = re.compile(r"^\[\w+\]=")
_CONTINUED = re.compile(r"(\\\n)+")


class SimpleCommands(NestedText):
    def _assignment(self, node: Node, _: str | None) -> str:
        name, value = self._assigned(node)
        if name:
            self._set(node, name, value)
        return ""

    def _assigned(self, node: Node) -> tuple[str, str]:
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None:
            return "", ""
        name = self._text(target)
        if value is None:
            return name, ""
        if value.type == "array":
            words = [
                _INDEXED.sub("", word)
                for child in value.children
                if child.is_named
                for word in self._words.fields(child)
            ]
            self.state.arrays[name] = words[:64]
            return "", ""
        text = self._words.value(value)
        if target.type == "subscript":
            self._words.look_through(target)
            self._element(name, text)
            return "", ""
        if node.child_count > 1 and node.children[1].type == "+=":
            text = (self.state.value(name) or "") + text
        return name, text

    def _element(self, subscript: str, text: str) -> None:
        name, _, index = subscript.partition("[")
        words = self.state.arrays.setdefault(name, [])
        if index.rstrip("]").isdigit() and int(index.rstrip("]")[:4] or 0) <= len(words) < 64:
            words[int(index.rstrip("]")) : int(index.rstrip("]")) + 1] = [text]
        else:
            words.append(UNKNOWN)

    def _set(self, node: Node, name: str, value: str) -> None:
        self.state.assign(name, value)
        if "[" in value and ("$(" in value or "`" in value):
            follow_subscripts(Call("", [value], self._span(node), self._via), self)
        if is_influential(name):
            evaluate_command(Call("", [], self._span(node), self._via), self, assigned=[(name, value)])

    def _assignments(self, node: Node, feed: str | None) -> str:
        for child in node.children:
            if child.type == "variable_assignment":
                self._assignment(child, feed)
        return ""

    def _declaration(self, node: Node, feed: str | None) -> str:
        words = [self._text(node.children[0])]
        for child in node.children[1:]:
            if child.type == "variable_assignment":
                self._assignment(child, feed)
                name, _, value = self._text(child).partition("=")
                words.append(name)
                if "-n" in words and value.isidentifier():
                    self.state.references[name] = value
            else:
                words.extend(self._words.fields(child))
        return evaluate_command(
            Call(words[0], words[1:], self._span(node), self._via, feed, cwd=self.state.cwd, links=self.state.links),
            self,
        )

    def _redirected(self, node: Node, feed: str | None) -> str:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child.type.endswith("_redirect")]
        if body is not None and body.type == "command":
            dropped = (
                self._bytes[body.end_byte : redirects[0].start_byte].decode("utf-8", "replace").split()
                if redirects
                else []
            )
            return self._command(body, feed, redirects, dropped=[word for word in dropped if word == "-"])
        reads: list[str] = []
        writes: list[str] = []
        feed, output_file = self._apply_redirections(redirects, feed, reads, writes)
        for stray in [stray for redirect in redirects for stray in self._stray_arguments(redirect)]:
            self._words.fields(stray)
        piped, self.state.output_used = self.state.output_used, True
        printed = self._run(body, feed) if body is not None else ""
        self.state.output_used = piped
        if reads or writes:
            evaluate_command(
                Call("", [], self._span(node), self._via, printed, writes, reads, self.state.cwd, self.state.links),
                self,
            )
        printed = self._store_output(output_file, printed)
        return self._run_after_heredoc(redirects, printed)

    def _command(
        self,
        node: Node,
        feed: str | None,
        redirects: list[Node] | None = None,
        prefix: str = "",
        dropped: Sequence[str] = (),
    ) -> str:
        """`dropped` are words that the grammar leaves out before a heredoc."""
        state = self.state
        outer_pick, outer_choices = state.choice, state.choice_count
        state.choice, state.choice_count = 0, 1
        printed = self._evaluate_once(node, feed, redirects or [], prefix, dropped)
        for pick in range(1, min(state.choice_count, MAX_VALUES)):
            state.choice = pick
            printed = self._evaluate_once(node, feed, redirects or [], prefix, dropped)
        state.choice, state.choice_count = outer_pick, max(outer_choices, 1)
        return printed

    def _evaluate_once(
        self, node: Node, feed: str | None, redirects: list[Node], prefix: str, dropped: Sequence[str]
    ) -> str:
        words: list[str] = []
        places: list[tuple[str, Node]] = []
        assigned: list[tuple[str, str]] = []
        redirects = list(redirects)
        end, said, written_oddly = -1, False, False
        for child in node.children:
            kind = child.type
            if kind == "variable_assignment":
                assigned.append(self._assigned(child))
                continue
            if kind in _REDIRECTS:
                redirects.append(child)
                continue
            if kind == "number" and self._bytes[child.end_byte : child.end_byte + 1] in (b"<", b">"):
                continue  # the descriptor of a redirection, which the grammar takes for an argument
            fields = self._words.fields(child)
            if kind == "command_name":
                fields = self._with_prefix(prefix, child) if prefix else fields
                written_oddly = _is_put_together(child)
            if said and child.start_byte != end + 1 and words and self._touches(end, child.start_byte):
                fields = [("" if words[-1] == "$" else words.pop()) + fields[0], *fields[1:]] if fields else fields
                words = words[:-1] if words and words[-1] == "$" else words
            words.extend(fields)
            end, said = child.end_byte, bool(fields)
            if fields:
                places.append((fields[0], child))
        for stray in (
            [stray for redirect in redirects for stray in self._stray_arguments(redirect)] if redirects else ()
        ):
            fields = self._words.fields(stray)
            words.extend(fields)
            if fields:
                places.append((fields[0], stray))
        words.extend(dropped)
        while words and not words[0]:
            words.pop(0)  # `"$@"` without arguments is no word at all
        reads: list[str] = []
        writes: list[str] = []
        feed, output_file = self._apply_redirections(redirects, feed, reads, writes) if redirects else (feed, "")
        if not words:
            for name, value in assigned:
                self.state.assign(name, value)
        call = Call(
            words[0] if words else "",
            words[1:],
            self._span(node),
            self._via,
            feed,
            writes,
            reads,
            self.state.cwd,
            self.state.links,
            self.state.output_used,
        )
        call.word_nodes, call.span_of = places, self._span
        if self.state.too_many_words:
            self.state.too_many_words = False
            self.state.add_unresolved("a word in it stands for more words than are followed", call.span)
        if words and written_oddly:
            self.state.add_danger(
                Harm.CONCEALED, "writes the name of a command so that it is not read as one", call.span, raises=True
            )
        printed = evaluate_command(call, self, assigned=assigned) if words or writes or reads or assigned else ""
        if redirects:
            printed = self._store_output(output_file, printed)
            return self._run_after_heredoc(redirects, printed)
        return printed

    def _with_prefix(self, prefix: str, node: Node) -> list[str]:
        """A brace expansion in the place of a name, which the grammar takes for the beginning of a group."""
        text = prefix + self._text(node)
        return brace_expansion.expand(
            text.replace("{", OPEN_BRACE).replace(",", BRACE_COMMA).replace("}", CLOSE_BRACE)
        ) or [UNKNOWN]

    def _touches(self, end: int, start: int) -> bool:
        if end == start:
            return True
        return start - end >= 2 and _CONTINUED.fullmatch(self._bytes[end:start].decode("utf-8", "replace")) is not None


def _is_put_together(name: Node) -> bool:
    """A name of quoted and unquoted pieces with no variable in it, or of escapes: nobody writes one to be read."""
    if not name.child_count:
        return False
    first = name.children[0]
    if first.type == "ansi_c_string":
        return True
    if first.type == "word":
        written = first.text or b""
        return b"\\" in written[1:] and b"\\\n" not in written and b"\\ " not in written
    if first.type != "concatenation":
        return False
    kinds = [child.type for child in first.children]
    quoted = sum(kind in ("raw_string", "string", "ansi_c_string") for kind in kinds)
    return (
        quoted > 0
        and not {"simple_expansion", "expansion", "command_substitution"} & set(kinds)
        and b"/" not in (first.text or b"")
    )
