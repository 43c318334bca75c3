"""`$'...'`: what the escapes of an ANSI-C string stand for."""

import re

from whet.guard.shell.model.placeholders import neutralise

_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b",
           "\\": "\\", "'": "'", '"': '"', "?": "?"}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_HIGHEST = 0x10FFFF


def decode(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal, short, long, octal, control, simple = match.groups()
    if control:
        return chr(ord(control) & 0x1F)
    if simple:
        return _SIMPLE.get(simple, "\\" + simple)
    number = int(octal, 8) & 0xFF if octal else int(hexadecimal or short or long, 16)
    return neutralise(chr(number)) if 0 < number <= _HIGHEST and not 0xD800 <= number < 0xE000 else ""
