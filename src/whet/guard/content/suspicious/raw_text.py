"""Marks that need no grammar: what nobody sees, what is read in another encoding, code that settings name."""

import re
from collections.abc import Iterator

from whet.guard.content.added import lines_of
from whet.guard.content.suspicious.flag import Flag

_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]")
_LONGEST_LINE = 400
_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
# In these every ASCII character is read as what it looks like.
_PLAIN_ENCODING = re.compile(
    r"utf[-_]?8|(us-)?ascii|iso-?8859[-_]\d+|latin[-_]?\d+|(cp|windows-)125\d|koi8[-_]\w|euc[-_]\w+"
)
_DATA = (".json", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_TELLING_DATA = re.compile(
    r"_exit|pytest|conftest|unittest|__\w+__|builtins|!!python|\b(os|sys|subprocess)\.\w", re.IGNORECASE
)


def by_text(text: str) -> Iterator[Flag]:
    for number, line in enumerate(lines_of(text), 1):
        if number <= 2 and (cookie := _COOKIE.match(line)) and not _PLAIN_ENCODING.fullmatch(cookie[1].lower()):
            yield from (
                Flag(every, "is read in another encoding than it is shown in", cookie[1]) for every in _all(text)
            )
        if _UNSEEN.search(line):
            yield Flag(number, "has characters that nobody sees", "unseen")
        if len(line) > _LONGEST_LINE:
            yield Flag(number, "has a line too long to be read", "long line")


def _all(text: str) -> range:
    return range(1, len(lines_of(text)) + 1)


def marks_in_data(path: str, new: str, lines: frozenset[int]) -> list[Flag]:
    """Settings can name code too."""
    if not path.casefold().endswith(_DATA):
        return []
    found = [(number, _TELLING_DATA.search(line)) for number, line in enumerate(lines_of(new), 1) if number in lines]
    return [Flag(number, "names code", match[0]) for number, match in found if match]
