"""Text that did not come from whet, so that a terminal can neither obey nor hide it."""

import unicodedata

_KEPT = frozenset("\n\t")
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, bidirectional and zero-width marks, surrogates, line separators
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters and marks that show nothing at all


def sanitize(text: str) -> str:
    """The same text with whatever steers a terminal, turns the direction or takes no room written as its escape.

    Newline and tab stay. A joiner inside an emoji is shown too: nobody can tell it from one that hides something.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def one_line(text: str) -> str:
    """Visible, and on one line: for table rows and lists, where a line of its own would look like whet's."""
    return sanitize(text).replace("\n", "\\n").replace("\t", "\\t")


def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in _HIDDEN or character in _BLANK
    if hidden and character not in _KEPT:
        return character.encode("unicode_escape").decode()
    return character
