"""Decode the backslash escapes of ANSI-C strings: `$'...'`, `echo -e`, `printf`."""

import re

from whet.guard.shell.model.placeholders import neutralise

_SIMPLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_LAST_CODE_POINT = 0x10FFFF


def decode(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal, short, long, octal, control, simple = match.groups()
    if control:
        return chr(ord(control) & 0x1F)
    if simple:
        return _SIMPLE.get(simple, "\\" + simple)
    number = int(octal, 8) & 0xFF if octal else int(hexadecimal or short or long, 16)
    is_surrogate = 0xD800 <= number < 0xE000
    return neutralise(chr(number)) if 0 < number <= _LAST_CODE_POINT and not is_surrogate else ""
