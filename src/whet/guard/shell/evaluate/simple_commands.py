"""Assignments and simple commands: words, redirections and variables put together into a call."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from whet.guard.shell.evaluate.evaluate_command import meet
from whet.guard.shell.evaluate.nested_text import Nesting
from whet.guard.shell.launchers.builtins import subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import CLOSE, COMMA, HOLE, OPEN
from whet.guard.shell.model.state import MOST_VALUES
from whet.guard.shell.parse import brace_expansion
from whet.guard.shell.rules.environment import is_telling

_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_INDEXED = re.compile(r"^\[\w+\]=")
_CONTINUED = re.compile(r"(\\\n)+")


class Commands(Nesting):
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
            self.scene.arrays[name] = words[:64]
            return "", ""
        text = self._words.value(value)
        if target.type == "subscript":
            self._words.look_through(target)
            self._element(name, text)
            return "", ""
        if node.child_count > 1 and node.children[1].type == "+=":
            text = (self.scene.value(name) or "") + text
        return name, text

    def _element(self, subscript: str, text: str) -> None:
        name, _, index = subscript.partition("[")
        words = self.scene.arrays.setdefault(name, [])
        if index.rstrip("]").isdigit() and int(index.rstrip("]")[:4] or 0) <= len(words) < 64:
            words[int(index.rstrip("]")) : int(index.rstrip("]")) + 1] = [text]
        else:
            words.append(HOLE)

    def _set(self, node: Node, name: str, value: str) -> None:
        self.scene.assign(name, value)
        if "[" in value and ("$(" in value or "`" in value):
            subscripts(Call("", [value], self._span(node), self._via), self)
        if is_telling(name):
            meet(Call("", [], self._span(node), self._via), self, assigned=[(name, value)])

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
                    self.scene.references[name] = value
            else:
                words.extend(self._words.fields(child))
        return meet(
            Call(words[0], words[1:], self._span(node), self._via, feed, cwd=self.scene.cwd, links=self.scene.links),
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
        feed, catches = self._directions(redirects, feed, reads, writes)
        for stray in [stray for redirect in redirects for stray in self._strays(redirect)]:
            self._words.fields(stray)
        piped, self.scene.piped = self.scene.piped, True
        printed = self._run(body, feed) if body is not None else ""
        self.scene.piped = piped
        if reads or writes:
            meet(
                Call("", [], self._span(node), self._via, printed, writes, reads, self.scene.cwd, self.scene.links),
                self,
            )
        printed = self._caught(catches, printed)
        return self._beyond_heredoc(redirects, printed)

    def _command(
        self,
        node: Node,
        feed: str | None,
        redirects: list[Node] | None = None,
        prefix: str = "",
        dropped: Sequence[str] = (),
    ) -> str:
        """`dropped` are words that the grammar leaves out before a heredoc."""
        scene = self.scene
        outer_pick, outer_choices = scene.pick, scene.choices
        scene.pick, scene.choices = 0, 1
        printed = self._once(node, feed, redirects or [], prefix, dropped)
        for pick in range(1, min(scene.choices, MOST_VALUES)):
            scene.pick = pick
            printed = self._once(node, feed, redirects or [], prefix, dropped)
        scene.pick, scene.choices = outer_pick, max(outer_choices, 1)
        return printed

    def _once(self, node: Node, feed: str | None, redirects: list[Node], prefix: str, dropped: Sequence[str]) -> str:
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
        for stray in [stray for redirect in redirects for stray in self._strays(redirect)] if redirects else ():
            fields = self._words.fields(stray)
            words.extend(fields)
            if fields:
                places.append((fields[0], stray))
        words.extend(dropped)
        while words and not words[0]:
            words.pop(0)  # `"$@"` without arguments is no word at all
        reads: list[str] = []
        writes: list[str] = []
        feed, catches = self._directions(redirects, feed, reads, writes) if redirects else (feed, "")
        if not words:
            for name, value in assigned:
                self.scene.assign(name, value)
        call = Call(
            words[0] if words else "",
            words[1:],
            self._span(node),
            self._via,
            feed,
            writes,
            reads,
            self.scene.cwd,
            self.scene.links,
            self.scene.piped,
        )
        call.places, call.span_of = places, self._span
        if self.scene.too_many_words:
            self.scene.too_many_words = False
            self.scene.unresolved("a word in it stands for more words than are followed", call.span)
        if words and written_oddly:
            self.scene.say(
                Harm.CONCEALED, "writes the name of a command so that it is not read as one", call.span, raises=True
            )
        printed = meet(call, self, assigned=assigned) if words or writes or reads or assigned else ""
        if redirects:
            printed = self._caught(catches, printed)
            return self._beyond_heredoc(redirects, printed)
        return printed

    def _with_prefix(self, prefix: str, node: Node) -> list[str]:
        """A brace expansion in the place of a name, which the grammar takes for the beginning of a group."""
        text = prefix + self._text(node)
        return brace_expansion.expand(text.replace("{", OPEN).replace(",", COMMA).replace("}", CLOSE)) or [HOLE]

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
