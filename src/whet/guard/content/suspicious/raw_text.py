"""Flags that need no syntax tree: invisible characters, other encodings, long lines, code named in settings."""

import re
from collections.abc import Iterator

from whet.guard.content.added import lines_of
from whet.guard.content.suspicious.flag import Flag

_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]")
_LONGEST_LINE = 400
_ENCODING_COMMENT = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
# Encodings in which every ASCII character is read as it is displayed; in `utf-7` for example a comment can be code.
_ASCII_COMPATIBLE = re.compile(
    r"utf[-_]?8|(us-)?ascii|iso-?8859[-_]\d+|latin[-_]?\d+|(cp|windows-)125\d|koi8[-_]\w|euc[-_]\w+"
)
_DATA = (".json", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_CODE_IN_DATA = re.compile(
    r"_exit|pytest|conftest|unittest|__\w+__|builtins|!!python|\b(os|sys|subprocess)\.\w", re.IGNORECASE
)


def text_flags(text: str) -> Iterator[Flag]:
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        encoding = _ENCODING_COMMENT.match(line) if number <= 2 else None
        if encoding and not _ASCII_COMPATIBLE.fullmatch(encoding[1].lower()):
            # It decides how every line is read, so every line is flagged.
            for every in range(1, len(lines) + 1):
                yield Flag(every, "is read in another encoding than it is shown in: {name}", encoding[1])
        if invisible := _INVISIBLE.search(line):
            yield Flag(number, "has an invisible character: {name}", f"U+{ord(invisible[0]):04X}")
        if len(line) > _LONGEST_LINE:
            yield Flag(number, "has a line too long to be read: {name}", f"{len(line)} characters")


def flags_in_data(path: str, new: str, lines: frozenset[int]) -> list[Flag]:
    """Return flags for settings on these lines that name code."""
    if not path.casefold().endswith(_DATA):
        return []
    flags = []
    for number, line in enumerate(lines_of(new), 1):
        match = _CODE_IN_DATA.search(line) if number in lines else None
        if match:
            flags.append(Flag(number, "names code in a settings file: {name}", match[0]))
    return flags
