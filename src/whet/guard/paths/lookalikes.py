"""Letters of other alphabets that look like Latin ones."""

import re
from collections.abc import Iterator

# Pairs: each lookalike is followed by the Latin letter that it looks like.
_LOOKALIKES = {
    "Cyrillic": "аaвbсcԁdеeһhіiјjкkӏlмmоoрpԛqѕsтtԝwхxуyАAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУY",
    "Greek": "νvοoΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX",
    "Armenian and Cherokee": "օoսuոnցgհhԼLՏSᎪAᏴBᏟCᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏚSᎢTᏙVᎳWᏃZ",
}
_LATIN = {pairs[at]: pairs[at + 1] for pairs in _LOOKALIKES.values() for at in range(0, len(pairs), 2)}
_TABLE = str.maketrans(_LATIN)
_WORD = re.compile(r"[^\W_]+")


def as_latin(text: str) -> str:
    """Return a text with every lookalike replaced by the Latin letter that it looks like."""
    return text if text.isascii() else text.translate(_TABLE)


def mixed_words(text: str) -> Iterator[str]:
    """Yield words that mix Latin letters with lookalikes; a word of one alphabet is fine."""
    if text.isascii():
        return
    for word in _WORD.findall(text):
        has_lookalike = any(letter in _LATIN for letter in word)
        if has_lookalike and any(letter.isascii() and letter.isalpha() for letter in word):
            yield word
