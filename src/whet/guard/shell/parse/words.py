"""Expand the words of a syntax tree: quotes, escapes, braces, tildes, variables and substitutions.

The result is the list of words that the shell would make. A part that cannot be known is a placeholder character
(`model/placeholders.py`).
"""

import re
from collections.abc import Callable

from tree_sitter import Node

from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, PROCESS_FILE, UNKNOWN
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.parse import ansi_strings, brace_expansion, parameter_expansion

_PLAIN = re.compile(r"[\w./:=@%+,^!#;\[\]*?-]+", re.ASCII)
_PLAIN_NODES = frozenset({"word", "command_name", "number"})
_ESCAPE_IN_QUOTES = re.compile(r'\\([\\"$`\n])')
_ESCAPE_OR_BRACE = re.compile(r"\\(?:.|\n)|[{},]", re.DOTALL)
_BRACE_PLACEHOLDERS = {"{": OPEN_BRACE, ",": BRACE_COMMA, "}": CLOSE_BRACE}
_LITERAL_BRACES = str.maketrans({OPEN_BRACE: "{", BRACE_COMMA: ",", CLOSE_BRACE: "}"})
_ARITHMETIC = re.compile(r"\$\(\(\s*(\d{1,9})\s*(?:([-+*])\s*(\d{1,9})\s*)?\)\)")
_ALL_ARGUMENTS = frozenset({"$@", "$*", '"$@"', '"$*"', "${@}", '"${@}"'})

Part = tuple[str, bool]  # text, and whether it is split into fields (unquoted expansions are)


class Words:
    """Expands the word nodes of one text against a shell state.

    `text` returns the source of a node. `substitute` evaluates the commands of a substitution node and returns their
    output; `expand_backticks` does so for backticks within a string.
    """

    def __init__(
        self,
        state: ShellState,
        text: Callable[[Node], str],
        substitute: Callable[[Node], str],
        expand_backticks: Callable[[str], str],
    ) -> None:
        self._state = state
        self._text = text
        self._substitute = substitute
        self._expand_backticks = expand_backticks

    def fields(self, node: Node) -> list[str]:
        """Expand a word of a command, which may become several words or none."""
        text = self._text(node)
        if node.type in _PLAIN_NODES and _PLAIN.fullmatch(text):
            return [text]
        if text in _ALL_ARGUMENTS:
            return list(self._state.positional) if self._state.positional is not None else [UNKNOWN]
        parts: list[Part] = []
        self._collect(node, parts, quoted=False)
        return self._join(parts)

    def value(self, node: Node) -> str:
        """Expand the right side of an assignment or a redirection, which is never split into fields."""
        if node.type == "word" and _PLAIN.fullmatch(text := self._text(node)):
            return text
        parts: list[Part] = []
        self._collect(node, parts, quoted=False)
        return "".join(part for part, _ in parts).translate(_LITERAL_BRACES)

    def expand_between(self, node: Node, start: int, end: int) -> str:
        """Expand the text between two byte offsets of a node as in double quotes."""
        parts: list[Part] = []
        for child in node.children:
            if not start <= child.start_byte < end:
                continue
            parts.append((self._gap(node, start, child.start_byte), False))
            if child.type == "heredoc_content":
                parts.append((_unescape_quoted(self._text(child)), False))
            else:
                self._collect(child, parts, quoted=True)
            start = child.end_byte
        parts.append((self._gap(node, start, end), False))
        return "".join(part for part, _ in parts)

    def follow_substitutions(self, node: Node) -> None:
        """Evaluate all substitutions below a node and ignore their output."""
        pending = [node]
        while pending:
            current = pending.pop()
            if current.type in ("command_substitution", "process_substitution"):
                self._substitute(current)
            elif current.child_count:
                pending.extend(current.children)

    def _join(self, parts: list[Part]) -> list[str]:
        """Split the unquoted expansions at IFS, join the rest, and expand braces."""
        separators = self._state.value("IFS") or ""
        words: list[str] = []
        current: str | None = None
        for text, is_split in parts:
            if not is_split:
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
        return [expanded for word in words for expanded in self._expand_braces(word)]

    def _expand_braces(self, word: str) -> list[str]:
        if OPEN_BRACE not in word:
            return [word if word.isascii() else word.translate(_LITERAL_BRACES)]
        expanded = brace_expansion.expand(word)
        if expanded is None:
            self._state.too_many_words = True
            return [UNKNOWN]
        return expanded

    def _collect(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        """Append the expanded parts of a node."""
        kind = node.type
        if kind == "string":
            self._string(node, parts)
        elif kind in ("command_name", "concatenation", "translated_string", "array"):
            for child in node.children:
                if child.type not in ('"', "(", ")"):
                    self._collect(child, parts, quoted=quoted)
        else:
            handler = _HANDLERS.get(kind)
            if handler is None:
                self._other(node, parts)
            else:
                handler(self, node, parts, quoted=quoted)

    def _string(self, node: Node, parts: list[Part]) -> None:
        """Append a double-quoted string. The grammar has no nodes for some of its blanks, so gaps are kept."""
        children = [child for child in node.children if child.type not in ('"', "(", ")")]
        if not children:
            parts.append((_unescape_quoted(self._text(node)[1:-1]), False))
        start = node.start_byte + 1
        for child in children:
            if child.start_byte > start:
                parts.append((self._gap(node, start, child.start_byte), False))
            self._collect(child, parts, quoted=True)
            start = child.end_byte
        parts.append((self._gap(node, start, node.end_byte - 1), False))

    def _gap(self, node: Node, start: int, end: int) -> str:
        """Return the source between two byte offsets of a node."""
        if start >= end:
            return ""
        raw = node.text or b""
        return raw[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace")

    def _word(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        text = self._text(node)
        if quoted:
            parts.append((text, False))
            return
        if text.startswith("~") and not parts:
            text = _expand_tilde(text)
        parts.append((_ESCAPE_OR_BRACE.sub(_unescape_or_mark_brace, text), False))

    def _raw_string(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((self._text(node)[1:-1], False))

    def _ansi_string(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((ansi_strings.decode(self._text(node)[2:-1]), False))

    def _string_content(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((_unescape_quoted(self._text(node)), False))

    def _brace_expression(self, node: Node, parts: list[Part], **_: bool) -> None:
        parts.append((f"{OPEN_BRACE}{self._text(node)[1:-1]}{CLOSE_BRACE}", False))

    def _simple_expansion(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        name = self._text(node)[1:]
        if name in ("@", "*"):
            parts.append((" ".join(self._state.positional or []), not quoted))
        else:
            parts.append((self._variable(name), not quoted))

    def _variable(self, name: str) -> str:
        """Return the value of a variable, a positional parameter or the first element of an array."""
        if name.isdigit():
            return self._positional(int(name[:6]))
        if name in self._state.arrays:
            return (self._state.arrays[name] or [""])[0]
        value = self._state.value(name)
        return UNKNOWN if value is None else value

    def _positional(self, number: int) -> str:
        if number == 0:
            return self._state.value("0") or UNKNOWN
        arguments = self._state.positional
        if arguments is None:
            return UNKNOWN
        return arguments[number - 1] if number <= len(arguments) else ""

    def _expansion(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        """Append `${...}`."""
        text = self._text(node)
        shape = parameter_expansion.SHAPE.match(text)
        if shape is None:
            self._other(node, parts)
            return
        operator, name, index = shape["op"] or "", shape["name"], shape["index"]
        end_of_operator = node.start_byte + len(text[: shape.end()].encode())
        operand = self.expand_between(node, end_of_operator, node.end_byte - 1)
        if "`" in operand:
            operand = self._expand_backticks(operand)
        if index:
            for child in node.children:
                if child.type == "subscript":
                    self.follow_substitutions(child)
        if index in ("[@]", "[*]") and name in self._state.arrays and not operator and not shape["prefix"]:
            parts.append((" ".join(self._state.arrays[name]), True))
            return
        parts.append((self._expanded(shape["prefix"], name, index, operator, operand), not quoted))

    def _expanded(self, prefix: str, name: str, index: str | None, operator: str, operand: str) -> str:
        if prefix == "#":
            return UNKNOWN
        value = self._expansion_value(name, index)
        if prefix == "!":
            value = self._state.value(value) if value else None
        if value is None and operator in (":+", "+"):
            # `${x:+y}` where the text does not set x: the result is y or nothing. Both are evaluated.
            self._state.choice_count = max(self._state.choice_count, 2)
            return operand if self._state.choice else ""
        return parameter_expansion.apply(operator, value, operand)

    def _expansion_value(self, name: str, index: str | None) -> str | None:
        """Return the value of the parameter in `${...}` before its operator; None if it is unknown."""
        if name in ("@", "*"):
            return " ".join(self._state.positional or [])
        if index is not None:
            return self._element(name, index[1:-1])
        if name.isdigit() or name in self._state.arrays:
            value = self._variable(name)
            return None if value == UNKNOWN else value
        return self._state.value(name)

    def _element(self, name: str, index: str) -> str | None:
        elements = self._state.arrays.get(name)
        if elements is None:
            return self._state.value(name) if index == "0" else None
        if not index.lstrip("-").isdigit():
            return None
        number = int(index[:9])
        return elements[number] if -len(elements) <= number < len(elements) else ""

    def _command_substitution(self, node: Node, parts: list[Part], *, quoted: bool) -> None:
        parts.append((self._substitute(node).rstrip("\n"), not quoted))

    def _process_substitution(self, node: Node, parts: list[Part], **_: bool) -> None:
        self._state.substitution_outputs.append(self._substitute(node))
        parts.append((f"{PROCESS_FILE}{len(self._state.substitution_outputs) - 1}", False))

    def _arithmetic(self, node: Node, parts: list[Part], **_: bool) -> None:
        self.follow_substitutions(node)
        parts.append((_compute(self._text(node)), False))

    def _other(self, node: Node, parts: list[Part]) -> None:
        """Append a node of another kind as its source text, or as unknown if it contains an expansion."""
        self.follow_substitutions(node)
        text = self._text(node)
        if text == "$" and node.next_sibling is not None and node.next_sibling.start_byte == node.end_byte:
            return  # the `$` of $"...", a string to be translated
        parts.append((UNKNOWN if "$" in text or "`" in text else text, False))


def _split(text: str, separators: str) -> list[str]:
    if not separators:
        return [text]
    if separators == " \t\n":
        return text.split()
    return [piece for piece in re.split(f"[{re.escape(separators)}]+", text) if piece]


def _unescape_quoted(text: str) -> str:
    """Remove the backslashes that escape a character within double quotes."""
    return _ESCAPE_IN_QUOTES.sub(lambda match: "" if match[1] == "\n" else match[1], text) if "\\" in text else text


def _unescape_or_mark_brace(match: re.Match[str]) -> str:
    """Remove the backslash of an escape, or replace an unquoted brace or comma by its placeholder."""
    matched = match[0]
    if matched[0] == "\\":
        return "" if matched[1] == "\n" else matched[1]
    return _BRACE_PLACEHOLDERS[matched]


def _expand_tilde(text: str) -> str:
    """Expand `~user` to its home folder and `~+` to "."; keep a plain "~", which the rules know as the home folder."""
    user, slash, rest = text[1:].partition("/")
    if user in ("", "+"):
        return f"{'.' if user else '~'}{slash}{rest}"
    return f"/root{slash}{rest}" if user == "root" else f"/home/{user}{slash}{rest}"


def _compute(text: str) -> str:
    """Compute `$((a + b))` for two literal numbers; everything else is unknown."""
    shape = _ARITHMETIC.fullmatch(text)
    if shape is None:
        return UNKNOWN
    first, operator, second = int(shape[1]), shape[2], int(shape[3] or 0)
    return str({"+": first + second, "-": first - second, "*": first * second, None: first}[operator])


_HANDLERS: dict[str, Callable[..., None]] = {
    "word": Words._word,
    "number": Words._word,
    "variable_name": Words._word,
    "raw_string": Words._raw_string,
    "ansi_c_string": Words._ansi_string,
    "string_content": Words._string_content,
    "heredoc_content": Words._string_content,
    "brace_expression": Words._brace_expression,
    "simple_expansion": Words._simple_expansion,
    "expansion": Words._expansion,
    "command_substitution": Words._command_substitution,
    "process_substitution": Words._process_substitution,
    "arithmetic_expansion": Words._arithmetic,
}
