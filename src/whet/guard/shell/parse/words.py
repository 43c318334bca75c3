"""What a word of the tree stands for: quotes, escapes, braces, tildes, variables and substitutions resolved.

The result is the list of words that the shell would make of it; what cannot be known is a mark inside (`marks.py`).
"""

import re
from collections.abc import Callable

from tree_sitter import Node

from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, PROCESS_FILE, UNKNOWN
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.parse import ansi_strings, brace_expansion, parameter_expansion

_PLAIN = re.compile(r"[\w./:=@%+,^!#;\[\]*?-]+", re.ASCII)
_WORDS = frozenset({"word", "command_name", "number"})
_BACKSLASHED = re.compile(r"\\(.|\n)", re.DOTALL)
_IN_QUOTES = re.compile(r'\\([\\"$`\n])')
_UNQUOTED_BRACES = re.compile(r"\\(?:.|\n)|[{},]", re.DOTALL)
_BRACE = {"{": OPEN_BRACE, ",": BRACE_COMMA, "}": CLOSE_BRACE}
_ARITHMETIC = re.compile(r"\$\(\(\s*(\d{1,9})\s*(?:([-+*])\s*(\d{1,9})\s*)?\)\)")
_KEPT_WHOLE = frozenset({"$@", "$*", '"$@"', '"$*"', "${@}", '"${@}"'})

Part = tuple[str, bool]  # text, and whether it is split into words where it stands


class Words:
    """`substitute` follows the commands in a substitution and returns what they print; `of_backticks` those in a text."""

    def __init__(
        self,
        state: ShellState,
        text: Callable[[Node], str],
        substitute: Callable[[Node], str],
        of_backticks: Callable[[str], str],
    ) -> None:
        self._state = state
        self._text = text
        self._substitute = substitute
        self._expand_backticks = of_backticks

    def fields(self, node: Node) -> list[str]:
        text = self._text(node)
        if node.type in _WORDS and _PLAIN.fullmatch(text):
            return [text]
        if text in _KEPT_WHOLE:
            return list(self._state.positional) if self._state.positional is not None else [UNKNOWN]
        parts: list[Part] = []
        self._collect(node, parts, quoted=False)
        return self._joined(parts)

    def value(self, node: Node) -> str:
        """As the right side of an assignment or a redirection: never split."""
        if node.type == "word" and _PLAIN.fullmatch(text := self._text(node)):
            return text
        parts: list[Part] = []
        self._collect(node, parts, quoted=False)
        return "".join(part for part, _ in parts).translate(_AS_WRITTEN)

    def inside(self, node: Node, start: int, end: int) -> str:
        """The text between two places in a node, its expansions resolved as in double quotes."""
        parts: list[Part] = []
        self._with_gaps(node, [child for child in node.children if start <= child.start_byte < end], start, end, parts)
        return "".join(part for part, _ in parts)

    def _joined(self, parts: list[Part]) -> list[str]:
        separators = self._state.value("IFS") or ""
        words: list[str] = []
        current: str | None = None
        for text, split in parts:
            if not split:
                current = (current or "") + text
                continue
            pieces = _split(text, separators)
            if len(pieces) == 1 and pieces[0] == text:
                current = (current or "") + text if text else current
                continue
            if text and text[0] in separators and current is not None:
                words.append(current)
                current = None
            for piece in pieces[:-1]:
                words.append((current or "") + piece)
                current = None
            if pieces:
                current = (current or "") + pieces[-1]
            if text and text[-1] in separators and current is not None:
                words.append(current)
                current = None
        if current is not None:
            words.append(current)
        return [
            word for joined in words for word in (self._braced(joined) if OPEN_BRACE in joined else [_plain(joined)])
        ]

    def _braced(self, word: str) -> list[str]:
        expanded = brace_expansion.expand(word)
        if expanded is None:
            self._state.too_many_words = True
        return [UNKNOWN] if expanded is None else expanded

    def _collect(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        kind = node.type
        if kind in ("command_name", "concatenation", "string", "translated_string", "array"):
            inside = quoted or kind == "string"
            start = node.start_byte + (kind == "string")
            children = [child for child in node.children if child.type not in ('"', "(", ")")]
            if kind == "string" and not children:
                parts.append((self._quoted(self._text(node)[1:-1]), False))
            for child in children:
                if kind == "string" and child.start_byte > start:
                    parts.append((self._gap(node, start, child.start_byte), False))
                self._collect(child, parts, quoted=inside)
                start = child.end_byte
            if kind == "string":
                parts.append((self._gap(node, start, node.end_byte - 1), False))
            return
        handler = _HANDLERS.get(kind)
        if handler is None:
            self._other(node, parts)
        else:
            handler(self, node, parts, quoted=quoted)

    def _gap(self, node: Node, start: int, end: int) -> str:
        if start >= end:
            return ""
        raw = node.text or b""
        return raw[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace")

    def _with_gaps(self, node: Node, children: list[Node], start: int, end: int, parts: list[Part]) -> None:
        for child in children:
            parts.append((self._gap(node, start, child.start_byte), False))
            if child.type == "heredoc_content":
                parts.append((self._quoted(self._text(child)), False))
            else:
                self._collect(child, parts, quoted=True)
            start = child.end_byte
        parts.append((self._gap(node, start, end), False))

    def _quoted(self, text: str) -> str:
        return _IN_QUOTES.sub(lambda match: "" if match[1] == "\n" else match[1], text) if "\\" in text else text

    def _word(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        text = self._text(node)
        if quoted:
            parts.append((text, False))
            return
        if text.startswith("~") and not parts:
            text = _tilde(text)
        parts.append((_UNQUOTED_BRACES.sub(_unescaped, text), False))

    def _raw(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((self._text(node)[1:-1], False))

    def _ansi(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((ansi_strings.decode(self._text(node)[2:-1]), False))

    def _content(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((self._quoted(self._text(node)), False))

    def _brace(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((f"{OPEN_BRACE}{self._text(node)[1:-1]}{CLOSE_BRACE}", False))

    def _simple(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        name = self._text(node)[1:]
        if name in ("@", "*"):
            joined = " ".join(self._state.positional or [])
            parts.append((joined, not quoted))
        else:
            parts.append((self._known(name), not quoted))

    def _known(self, name: str) -> str:
        if name.isdigit():
            given = self._state.positional
            place = int(name[:6])
            if place == 0:
                return self._state.value("0") or UNKNOWN
            return UNKNOWN if given is None else given[place - 1] if place <= len(given) else ""
        if name in self._state.arrays:
            return (self._state.arrays[name] or [""])[0]
        value = self._state.value(name)
        return UNKNOWN if value is None else value

    def _expansion(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        text = self._text(node)
        shape = parameter_expansion.SHAPE.match(text)
        if shape is None:
            self._other(node, parts)
            return
        operator, name, index = shape["op"] or "", shape["name"], shape["index"]
        end_of_operator = node.start_byte + len(text[: shape.end()].encode())
        operand = self.inside(node, end_of_operator, node.end_byte - 1)
        if "`" in operand:
            operand = self._expand_backticks(operand)
        if index:
            for child in node.children:
                if child.type == "subscript":
                    self.look_through(child)
        if index in ("[@]", "[*]") and name in self._state.arrays and not operator and not shape["prefix"]:
            parts.append((" ".join(self._state.arrays[name]), True))
            return
        parts.append((self._expanded(shape["prefix"], name, index, operator, operand), not quoted))

    def _expanded(self, prefix: str, name: str, index: str | None, operator: str, operand: str) -> str:
        if prefix == "#":
            return UNKNOWN
        if name in ("@", "*"):
            value: str | None = " ".join(self._state.positional or [])
        elif index is not None:
            value = self._element(name, index[1:-1])
        elif name.isdigit() or name in self._state.arrays:
            value = self._known(name)
            value = None if value == UNKNOWN else value
        else:
            value = self._state.value(name)
        if prefix == "!":
            value = self._state.value(value) if value else None
        if value is None and operator in (":+", "+"):
            return self._if_set(operand)
        return parameter_expansion.apply(operator, value, operand)

    def _if_set(self, operand: str) -> str:
        """`${x:+y}` where nothing in the text sets x: nothing, or y. Both are tried."""
        self._state.choice_count = max(self._state.choice_count, 2)
        return operand if self._state.choice else ""

    def _element(self, name: str, index: str) -> str | None:
        elements = self._state.arrays.get(name)
        if elements is None:
            return self._state.value(name) if index == "0" else None
        if not index.lstrip("-").isdigit():
            return None
        place = int(index[:9])
        return elements[place] if -len(elements) <= place < len(elements) else ""

    def _substitution(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        parts.append((self._substitute(node).rstrip("\n"), not quoted))

    def _process(self, node: Node, parts: list[Part], **_: bool) -> None:
        self._state.substitution_outputs.append(self._substitute(node))
        parts.append((f"{PROCESS_FILE}{len(self._state.substitution_outputs) - 1}", False))

    def _arithmetic(self, node: Node, parts: list[Part], **_: bool) -> None:
        self.look_through(node)
        parts.append((_computed(self._text(node)), False))

    def _other(self, node: Node, parts: list[Part]) -> None:
        """A kind with no meaning of its own here: its text stands for itself, whatever it contains is followed."""
        self.look_through(node)
        text = self._text(node)
        if text == "$" and node.next_sibling is not None and node.next_sibling.start_byte == node.end_byte:
            return  # the beginning of $"...", a string to be translated
        parts.append((UNKNOWN if "$" in text or "`" in text else text, False))

    def look_through(self, node: Node) -> None:
        pending = [node]
        while pending:
            current = pending.pop()
            if current.type in ("command_substitution", "process_substitution"):
                self._substitute(current)
            elif current.child_count:
                pending.extend(current.children)


def _split(text: str, separators: str) -> list[str]:
    if not separators:
        return [text]
    if separators == " \t\n":
        return text.split()
    return [piece for piece in re.split(f"[{re.escape(separators)}]+", text) if piece]


def _unescaped(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "\\":
        return "" if found[1] == "\n" else found[1]
    return _BRACE[found]


def _tilde(text: str) -> str:
    user, slash, rest = text[1:].partition("/")
    if user in ("", "+"):
        return f"{'.' if user else '~'}{slash}{rest}"
    return f"/root{slash}{rest}" if user == "root" else f"/home/{user}{slash}{rest}"


def _plain(word: str) -> str:
    return word if word.isascii() else word.translate(_AS_WRITTEN)


def _computed(text: str) -> str:
    shape = _ARITHMETIC.fullmatch(text)
    if shape is None:
        return UNKNOWN
    first, operator, second = int(shape[1]), shape[2], int(shape[3] or 0)
    return str({"+": first + second, "-": first - second, "*": first * second, None: first}[operator])


_AS_WRITTEN = str.maketrans({OPEN_BRACE: "{", BRACE_COMMA: ",", CLOSE_BRACE: "}"})
_HANDLERS: dict[str, Callable[..., None]] = {
    "word": Words._word,
    "number": Words._word,
    "variable_name": Words._word,
    "raw_string": Words._raw,
    "ansi_c_string": Words._ansi,
    "string_content": Words._content,
    "heredoc_content": Words._content,
    "brace_expression": Words._brace,
    "simple_expansion": Words._simple,
    "expansion": Words._expansion,
    "command_substitution": Words._substitution,
    "process_substitution": Words._process,
    "arithmetic_expansion": Words._arithmetic,
}
