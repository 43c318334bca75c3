"""Characters that show a reader something else than what the program reads."""

import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.guard.paths.lookalikes import pretending_words

_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_INVISIBLE = re.compile("[\u200b\u2060-\u2064\u00ad\u034f\u115f\u1160\u3164\uffa0\U000e0000-\U000e007f]")


def directions(passage: Passage) -> Iterator[Remark]:
    """Marks that reorder what is shown: what is read is not what runs."""
    for number, line in passage.added_text:
        if match := _DIRECTION.search(line):
            yield Remark(
                number, "block", "reordered_text", f"has a mark that reorders what is shown (U+{ord(match[0]):04X})"
            )
        elif match := _INVISIBLE.search(line):
            yield Remark(number, "raise", "unseen_text", f"has a character that does not show (U+{ord(match[0]):04X})")


def reorders(text: str) -> bool:
    return bool(_DIRECTION.search(text))


def lookalikes(passage: Passage) -> Iterator[Remark]:
    """Words of two alphabets whose letters look alike: a name that is not the one it seems."""
    for number, line in passage.added_text:
        for word in pretending_words(line):
            yield Remark(
                number, "block", "lookalike_letters", f"has a word of letters that look like others ({word!a})"
            )
