"""Make text from outside safe to print: it can neither control the terminal nor hide characters."""

import unicodedata

_KEPT = frozenset("\n\t")
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, bidirectional and zero-width marks, surrogates, line separators
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters and marks that are drawn as nothing


def sanitize(text: str) -> str:
    """Return the text with control, bidirectional and zero-width characters written as escapes.

    Newline and tab stay. A zero-width joiner inside an emoji is escaped too, because it cannot be told from one that
    hides something.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped_if_hidden(character) for character in text)


def one_line(text: str) -> str:
    """Return the sanitized text on one line, for tables and lists: a second line would look like whet's own."""
    return sanitize(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped_if_hidden(character: str) -> str:
    hidden = unicodedata.category(character) in _HIDDEN or character in _BLANK
    if hidden and character not in _KEPT:
        return character.encode("unicode_escape").decode()
    return character
