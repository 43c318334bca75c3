"""Follows a command text through its tree, in the order in which a shell would run it.

Every statement is met, whether it would run or not. A statement gives back what it prints, as far as that is known:
that is what a pipe feeds to the next command and what a substitution stands for.
"""

import re
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from whet.guard.shell import braces
from whet.guard.shell.call import Call
from whet.guard.shell.code import Finding, Starts
from whet.guard.shell.grammar import parse
from whet.guard.shell.harm import Harm, Span
from whet.guard.shell.marks import CLOSE, COMMA, DECODED, HOLE, NETWORK, OPEN, SUBSTITUTED, bare, is_known
from whet.guard.shell.meet import meet
from whet.guard.shell.scene import DEEPEST, MOST_VALUES, Scene
from whet.guard.shell.words import Words

_DEEPEST_TREE = 150
_CONTINUED = re.compile(r"(\\\n)+")
_BACKTICKS = re.compile(r"(?<!\\)`((?:\\.|[^`\\])*)`", re.DOTALL)
_ENDLESS = frozenset({"true", ":", "[ 1 ]", "[[ 1 ]]", "((1))", "(( 1 ))", "[ true ]", "/bin/true"})


class Walk:
    """One text. A nested one has the place of the outer word for all that it finds (`at`)."""

    def __init__(self, scene: Scene, source: str, *, at: Span | None = None, via: tuple[str, ...] = ()) -> None:
        self.scene = scene
        self._source = source
        self._bytes = source.encode("utf-8", "replace")
        self._is_ascii = len(self._bytes) == len(source)
        self._at = at
        self._via = via
        self._words = Words(scene, self._text, self._substituted, self._of_backticks)
        self._tree_depth = 0

    def run(self, feed: str | None = None) -> str:
        root = parse(self._bytes)
        if root.has_error or self._leaves_out(root):
            self.scene.unresolved("part of it cannot be read as shell", self._span(root))
        return self._statements(root, feed)

    def _leaves_out(self, root: Node) -> bool:
        """Whether the grammar passed over something that is neither a node nor blank, which it does here and there."""
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

    # -- statements

    def _run(self, node: Node, feed: str | None) -> str:
        if self.scene.given_up:
            return HOLE
        handler = _STATEMENTS.get(node.type)
        if handler is None:
            return self._parts(node, feed)
        self._tree_depth += 1
        if self._tree_depth > _DEEPEST_TREE:
            self.scene.give_up("it is nested too deeply to be followed")
            printed = HOLE
        else:
            printed = handler(self, node, feed)
        self._tree_depth -= 1
        return printed

    def _statements(self, node: Node, feed: str | None) -> str:
        printed = []
        children = node.children
        last = len(children) - 1
        for place, child in enumerate(children):
            if not child.is_named:
                continue
            if place < last and children[place + 1].type == "&":
                self.scene.parallel += 1
                printed.append(self._run(child, feed))
                self.scene.parallel -= 1
            else:
                printed.append(self._run(child, feed))
        return "".join(printed) if len(printed) != 1 else printed[0]

    def _in_doubt(self, node: Node, feed: str | None) -> str:
        self.scene.maybe += 1
        printed = self._statements(node, feed)
        self.scene.maybe -= 1
        return printed

    def _list(self, node: Node, feed: str | None) -> str:
        """`a && b || c` leans to the left as deep as it is long, so it is taken apart in a loop."""
        parts: list[Node] = []
        while node.type == "list":
            children = node.children
            parts.extend(reversed(children[1:]))
            node = children[0]
        printed = [self._run(node, feed)]
        joint = ""
        for part in reversed(parts):
            if not part.is_named:
                joint = part.type
                continue
            self.scene.maybe += joint == "||"
            printed.append(self._run(part, feed))
            self.scene.maybe -= joint == "||"
        return "".join(printed)

    def _pipeline(self, node: Node, feed: str | None) -> str:
        first = len(self.scene.found)
        self.scene.maybe += 1
        self.scene.parallel += 1
        for child in node.children:
            if child.is_named:
                feed = self._run(child, feed)
        self.scene.maybe -= 1
        self.scene.parallel -= 1
        names = {found.name.rpartition("/")[2] for found in self.scene.found[first:]}
        if names & _SHELL_NAMES and names & _CONNECTIONS:
            self.scene.say(Harm.REVERSE_SHELL, "joins a shell and a connection in one pipeline", self._span(node))
        return feed or ""

    def _for(self, node: Node, feed: str | None) -> str:
        self.scene.maybe += 1
        name, values = "", []
        for place, child in enumerate(node.children):
            field = node.field_name_for_child(place)
            if field == "variable":
                name = self._text(child)
            elif field == "value":
                values.extend(self._words.fields(child))
        if name:
            distinct = list(dict.fromkeys(values)) or [HOLE]
            self.scene.variables[name] = (
                distinct if len(distinct) <= MOST_VALUES else [*distinct[: MOST_VALUES - 1], HOLE]
            )
        printed = [self._run(child, feed) for child in node.children if child.type == "do_group"]
        self.scene.maybe -= 1
        return "".join(printed)

    def _while(self, node: Node, feed: str | None) -> str:
        first = len(self.scene.found)
        printed = self._in_doubt(node, feed)
        condition = node.child(1)
        body = node.child_by_field_name("body")
        if (
            condition is not None
            and body is not None
            and self._text(condition) in _ENDLESS
            and self._goes_on_beside(body)
        ):
            names = {found.name for found in self.scene.found[first:]}
            if names.isdisjoint({"sleep", "wait", "read", "inotifywait"}):
                self.scene.say(Harm.EXHAUSTION, "starts processes without end", self._span(node))
        return printed

    def _goes_on_beside(self, node: Node) -> bool:
        pending = [node]
        while pending:
            current = pending.pop()
            if current.type == "&":
                return True
            if current.type in ("do_group", "subshell", "compound_statement"):
                pending.extend(current.children)
        return False

    def _function(self, node: Node, _: str | None) -> str:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return ""
        name = self._text(name_node)

        def called(arguments: list[str] | None, via: tuple[str, ...], fed: str | None) -> str:
            outer, kept = self._via, self.scene.positional
            self._via, self.scene.positional = via, arguments
            self.scene.maybe += 1
            printed = self._run(body, fed)
            self.scene.maybe -= 1
            self._via, self.scene.positional = outer, kept
            return printed

        self.scene.functions[name] = called
        self.scene.uncalled[name] = called
        return ""

    def _case(self, node: Node, feed: str | None) -> str:
        value = node.child_by_field_name("value")
        if value is not None:
            self._words.fields(value)
        self.scene.maybe += 1
        printed = [self._statements_of_case(child, feed) for child in node.children if child.type == "case_item"]
        self.scene.maybe -= 1
        return "".join(printed)

    def _statements_of_case(self, node: Node, feed: str | None) -> str:
        printed = []
        for place, child in enumerate(node.children):
            if child.is_named and node.field_name_for_child(place) == "value":
                self._words.fields(child)
            elif child.is_named:
                printed.append(self._run(child, feed))
        return "".join(printed)

    def _parts(self, node: Node, _: str | None) -> str:
        """A test, an arithmetic, an error: whatever it holds is followed."""
        pending = list(reversed(node.children))
        brace = False
        while pending and not self.scene.given_up:
            current = pending.pop()
            if current.type in _STATEMENTS and not (brace and current.type == "command"):
                self._run(current, None)
            elif brace and current.type == "command":
                self._command(current, None, prefix="{")
            elif brace and current.type == "command_name":
                words = self._with_prefix("{", current)
                meet(Call(words[0], words[1:], self._span(node), self._via, cwd=self.scene.cwd), self)
            elif current.type == "command_substitution" or current.type == "process_substitution":
                self._substituted(current)
            elif current.type in ("expansion", "string", "concatenation", "arithmetic_expansion"):
                self._words.fields(current)
            elif current.child_count:
                pending.extend(reversed(current.children))
            brace = current.type == "{" and bool(pending) and pending[-1].start_byte == current.end_byte
        return ""

    def _nothing(self, _: Node, __: str | None) -> str:
        return ""

    # -- assignments

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
            words = [word for child in value.children if child.is_named for word in self._words.fields(child)]
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
        if name in _TELLING:
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
                words.append(self._text(child).partition("=")[0])
            else:
                words.extend(self._words.fields(child))
        return meet(Call(words[0], words[1:], self._span(node), self._via, feed, cwd=self.scene.cwd), self)

    # -- commands

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
        printed = self._run(body, feed) if body is not None else ""
        if reads or writes:
            meet(Call("", [], self._span(node), self._via, printed, writes, reads, self.scene.cwd), self)
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
        end = -1
        for child in node.children:
            kind = child.type
            if kind == "variable_assignment":
                assigned.append(self._assigned(child))
                continue
            if kind.endswith("_redirect"):
                redirects.append(child)
                continue
            if kind == "number" and self._bytes[child.end_byte : child.end_byte + 1] in (b"<", b">"):
                continue  # the descriptor of a redirection, which the grammar takes for an argument
            fields = self._words.fields(child)
            if prefix and kind == "command_name":
                fields = self._with_prefix(prefix, child)
            if words and self._touches(end, child.start_byte):
                fields = [("" if words[-1] == "$" else words.pop()) + fields[0], *fields[1:]] if fields else fields
                words = words[:-1] if words and words[-1] == "$" else words
            words.extend(fields)
            end = child.end_byte
            if fields:
                places.append((fields[0], child))
        words.extend(dropped)
        reads: list[str] = []
        writes: list[str] = []
        feed, catches = self._directions(redirects, feed, reads, writes) if redirects else (feed, "")
        if not words:
            for name, value in assigned:
                self.scene.assign(name, value)
        call = Call(
            words[0] if words else "", words[1:], self._span(node), self._via, feed, writes, reads, self.scene.cwd
        )
        call.places, call.span_of = places, self._span
        if self.scene.too_many_words:
            self.scene.too_many_words = False
            self.scene.unresolved("a word in it stands for more words than are followed", call.span)
        if words and _is_put_together(node):
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
        return braces.expand(text.replace("{", OPEN).replace(",", COMMA).replace("}", CLOSE)) or [HOLE]

    def _touches(self, end: int, start: int) -> bool:
        if end == start:
            return True
        return start - end >= 2 and _CONTINUED.fullmatch(self._bytes[end:start].decode("utf-8", "replace")) is not None

    def _directions(
        self, redirects: list[Node], feed: str | None, reads: list[str], writes: list[str]
    ) -> tuple[str | None, str]:
        """What the redirections feed, and the file that catches the output (">>" before it where it is added)."""
        catches = ""
        for node in redirects:
            if node.type == "heredoc_redirect":
                feed = self._heredoc(node)
                for child in node.children:
                    if child.type == "file_redirect":
                        _, catches = self._directions([child], feed, reads, writes)
            elif node.type == "herestring_redirect":
                feed = "".join(self._words.value(child) for child in node.children if child.is_named) + "\n"
            else:
                operator = next((child.type for child in node.children if not child.is_named), ">")
                target = node.child_by_field_name("destination")
                for child in node.children:
                    if child.is_named and child != target and child.type != "file_descriptor":
                        self._words.fields(child)
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
                    catches = (">>" if operator.endswith(">>") else "") + path
        return feed, catches

    def _read(self, path: str) -> str | None:
        if path.startswith(SUBSTITUTED):
            return self.scene.substituted(path)
        return self.scene.files.get(path)

    def _heredoc(self, node: Node) -> str:
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if body is None:
            return ""
        if start is not None and set(self._text(start)) & set("'\"\\"):
            return self._text(body)
        text = self._words.inside(body, body.start_byte, body.end_byte)
        return self._of_backticks(text) if "`" in text else text

    def _of_backticks(self, text: str) -> str:
        """Backticks that the grammar leaves as letters."""
        return _BACKTICKS.sub(self._backticks, text)

    def _backticks(self, match: re.Match[str]) -> str:
        call = Call("", [], self._at or (0, len(self._source)), self._via)
        self.text(re.sub(r"\\([`$\\])", r"\1", match[1]), call, "substitution")
        return HOLE

    def _beyond_heredoc(self, redirects: list[Node], printed: str) -> str:
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
                elif child.type in ("word", "string", "raw_string", "concatenation", "simple_expansion", "expansion"):
                    self._words.fields(child)
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

    def _caught(self, catches: str, printed: str) -> str:
        if not catches:
            return printed
        path = catches.removeprefix(">>")
        before = self.scene.files.get(path, "") if catches.startswith(">>") else ""
        self.scene.files[path] = before + printed
        return ""

    def _substituted(self, node: Node) -> str:
        self._tree_depth += 1
        if self._tree_depth > _DEEPEST_TREE:
            self.scene.give_up("it is nested too deeply to be followed")
        outer, self._via = self._via, (*self._via, "substitution")
        self.scene.maybe += 1
        reads = [child for child in node.children if child.type == "file_redirect"]
        if reads:
            found: list[str] = []
            self._directions(reads, None, found, [])
            printed = meet(Call("cat", found, self._span(node), self._via, cwd=self.scene.cwd), self)
        else:
            text = self._text(node)
            printed = (
                self._in_backticks(text, node) if text[:1] == "`" and "\\" in text else self._statements(node, None)
            )
        self.scene.maybe -= 1
        self._via = outer
        self._tree_depth -= 1
        return printed

    def _in_backticks(self, text: str, node: Node) -> str:
        """Between backticks a backslash is one level of quoting more."""
        call = Call("", [], self._span(node), self._via)
        self.text(re.sub(r"\\([`$\\])", r"\1", text[1:-1]), call, "backticks")
        return HOLE

    # -- what the commands that start others ask for

    def text(self, text: str, call: Call, how: str, arguments: list[str] | None = None) -> None:
        scene = self.scene
        span = call.place_of(text)
        if NETWORK in text:
            scene.say(Harm.PIPE_TO_SHELL, f"what the network sends is run as commands ({how})", span)
        if DECODED in text:
            scene.say(Harm.ENCODED, f"what is decoded is run as commands ({how})", span)
        text = text.replace(DECODED, "").replace(NETWORK, "" if text.strip() == NETWORK else HOLE)
        if not text.strip():
            return
        if not is_known(text) and not bare(text).strip():
            if not (NETWORK in text or DECODED in text):
                scene.unresolved(f"what is run is not known ({how})", span)
            return
        scene.depth += 1
        scene.text -= len(text)
        if scene.depth > DEEPEST:
            scene.give_up("it is nested too deeply to be followed")
        elif scene.text < 0:
            scene.give_up("the texts in it add up to too much to be followed")
        else:
            self._nested(Walk(scene, text, at=span, via=(*call.via, how)), call, how, arguments)
        scene.depth -= 1

    def _nested(self, walk: "Walk", call: Call, how: str, arguments: list[str] | None) -> None:
        """A shell of its own sees the variables as they are and leaves them as they were; `eval` changes them."""
        scene = self.scene
        positional, variables, maybe, cwd = scene.positional, scene.variables, scene.maybe, scene.cwd
        scene.positional = arguments if arguments is not None else positional
        if how.partition(" ")[0] not in _SAME_SHELL:
            scene.variables, scene.maybe = dict(variables), 0
        walk.run(call.stdin if how.endswith("-c") else None)
        scene.positional = positional
        if how.partition(" ")[0] not in _SAME_SHELL:
            scene.variables, scene.maybe, scene.cwd = variables, maybe, cwd

    def command(self, words: list[str], call: Call, how: str) -> str:
        return meet(call.inner(words, how), self, by_shell=how in ("time", "coproc"))

    def say(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None:
        self.scene.say(harm, reason, call.span, raises=raises)

    def code(self, findings: Iterable[Finding], call: Call, how: str) -> None:
        for found in findings:
            if isinstance(found, Starts):
                self.text(found.text, call, how)
            else:
                self.scene.say(found.harm, found.reason, call.span, raises=found.raises)


def _is_put_together(node: Node) -> bool:
    """A name of quoted and unquoted pieces with no variable in it, or of escapes: nobody writes one to be read."""
    name = node.child_by_field_name("name")
    if name is None or not name.child_count:
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


_SHELL_NAMES = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "powershell", "pwsh", "busybox"})
_CONNECTIONS = frozenset({"nc", "ncat", "netcat", "telnet", "socat", "nc.traditional", "nc.openbsd", "cryptcat"})
_TELLING = frozenset({
    "PROMPT_COMMAND", "BASH_ENV", "ENV", "LD_PRELOAD", "LD_AUDIT", "PS0", "PS1", "PS2", "PS4", "HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL",
    "PAGER", "EDITOR", "VISUAL", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR",
    "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SHELLOPTS", "BASHOPTS", "PYTHONSTARTUP", "PERL5OPT", "PERL5DB", "RUBYOPT", "NODE_OPTIONS",
    "SSH_ASKPASS", "GIT_PROXY_COMMAND", "GIT_CONFIG_VALUE_0", "DYLD_INSERT_LIBRARIES", "LD_LIBRARY_PATH", "GCONV_PATH", "PYTHONINSPECT", "SUDO_ASKPASS",
    "GIT_CONFIG_PARAMETERS", "SUDO_EDITOR", "FCEDIT", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "HISTIGNORE", "PYTHONWARNINGS", "PYTHONHOME", "IFS",
})  # fmt: skip
_SAME_SHELL = frozenset({"eval", "trap", "alias", "script-file"})
_LOOSE = frozenset(
    {"string", "heredoc_body", "expansion", "heredoc_redirect", "program", "ansi_c_string", "translated_string"}
)
_STATEMENTS = {
    "program": Walk._statements,
    "list": Walk._list,
    "pipeline": Walk._pipeline,
    "command": Walk._command,
    "redirected_statement": Walk._redirected,
    "compound_statement": Walk._statements,
    "do_group": Walk._statements,
    "negated_command": Walk._statements,
    "subshell": Walk._in_doubt,
    "if_statement": Walk._in_doubt,
    "elif_clause": Walk._statements,
    "else_clause": Walk._statements,
    "while_statement": Walk._while,
    "for_statement": Walk._for,
    "c_style_for_statement": Walk._in_doubt,
    "case_statement": Walk._case,
    "function_definition": Walk._function,
    "variable_assignment": Walk._assignment,
    "variable_assignments": Walk._assignments,
    "declaration_command": Walk._declaration,
    "unset_command": Walk._declaration,
    "comment": Walk._nothing,
}
