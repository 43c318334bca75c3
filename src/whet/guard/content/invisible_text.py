"""Characters that make the displayed text differ from the text that the program reads."""

import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.guard.paths.lookalikes import mixed_words

_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_INVISIBLE = re.compile("[\u200b\u2060-\u2064\u00ad\u034f\u115f\u1160\u3164\uffa0\U000e0000-\U000e007f]")


def invisible_characters(passage: Passage) -> Iterator[Remark]:
    """Block marks that reorder the displayed text; raise the tier for other invisible characters."""
    for number, line in passage.added_text:
        if match := _DIRECTION.search(line):
            what = f"has a mark that reorders the displayed text: U+{ord(match[0]):04X}"
            yield Remark(number, "block", "reordered_text", what)
        elif match := _INVISIBLE.search(line):
            yield Remark(number, "raise", "unseen_text", f"has an invisible character: U+{ord(match[0]):04X}")


def reorders_text(text: str) -> bool:
    return bool(_DIRECTION.search(text))


def lookalike_letters(passage: Passage) -> Iterator[Remark]:
    """Block words that mix Latin letters with lookalikes of other alphabets."""
    for number, line in passage.added_text:
        for word in mixed_words(line):
            what = f"has a word with lookalike letters of another alphabet: {word!a}"
            yield Remark(number, "block", "lookalike_letters", what)
