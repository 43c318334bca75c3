"""Sanitized text: nothing in it controls the terminal or is invisible."""

import pytest

from whet.domain.sanitize import one_line, sanitize

SHOWN = {
    "escape": ("\x1b[8mhidden\x1b[0m", r"\x1b[8mhidden\x1b[0m"),
    "carriage return": ("evil()\rgood()", r"evil()\rgood()"),
    "backspace": ("a\bb", r"a\x08b"),
    "bell": ("\a", r"\x07"),
    "nul": ("\0", r"\x00"),
    "vertical tab and form feed": ("\v\f", r"\x0b\x0c"),
    "delete": ("\x7f", r"\x7f"),
    "C1, an escape sequence in one character": ("\x9b8m", r"\x9b8m"),
    "next line": ("\x85", r"\x85"),
    "right to left override": ("\u202ered", r"\u202ered"),
    "every bidirectional embedding": ("\u202a\u202b\u202c\u202d", r"\u202a\u202b\u202c\u202d"),
    "isolates": ("\u2066\u2067\u2068\u2069", r"\u2066\u2067\u2068\u2069"),
    "direction marks": ("\u200e\u200f\u061c", r"\u200e\u200f\u061c"),
    "zero width": ("a\u200bb\u200cc\u200dd\u2060e\ufefff", r"a\u200bb\u200cc\u200dd\u2060e\ufefff"),
    "soft hyphen": ("a\u00adb", r"a\xadb"),
    "invisible operators": ("\u2061\u2064", r"\u2061\u2064"),
    "blank letters": ("\u3164\u115f\uffa0\u034f", r"\u3164\u115f\uffa0\u034f"),
    "tags, which spell out hidden ASCII": ("\U000e0041", r"\U000e0041"),
    "line and paragraph separators": ("a\u2028b\u2029", r"a\u2028b\u2029"),
    "surrogates of undecodable names": ("caf\udce9", r"caf\udce9"),
}
KEPT = {
    "plain": "def f(x): return x  # {ok}",
    "newline and tab": "one\n\ttwo\n",
    "umlauts": "Größe, naïve, Łódź",
    "combining accent": "e\u0301",
    "greek, cyrillic, arabic, hebrew": "λόγος слово كلمة מילה",
    "cjk": "日本語 中文 한국어",
    "ideographic space": "日\u3000本",
    "emoji": "🎉 ✅ ❌",
    "emoji with a variation selector": "❤\ufe0f",
    "no-break space": "10\u00a0km",
    "backslashes": r"C:\x1b \u202e",
    "arrows and dashes": "a → b – c",
    "nothing": "",
}


@pytest.mark.parametrize("name", SHOWN)
def test_control_and_invisible_characters_are_escaped(name: str) -> None:
    text, expected = SHOWN[name]
    assert sanitize(text) == expected
    assert sanitize(f"ü{text}") == f"ü{expected}"


@pytest.mark.parametrize("name", KEPT)
def test_ordinary_text_is_unchanged(name: str) -> None:
    assert sanitize(KEPT[name]) == KEPT[name]


def test_one_line_escapes_line_breaks_and_tabs() -> None:
    assert one_line("a\nb\tc\r\n") == r"a\nb\tc\r\n"
