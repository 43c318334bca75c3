"""Letters of other alphabets that a reader takes for Latin ones."""

import re
from collections.abc import Iterator

_TWINS = {
    "Cyrillic": "аaвbсcԁdеeһhіiјjкkӏlмmоoрpԛqѕsтtԝwхxуyАAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУY",
    "Greek": "νvοoΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX",
    "Armenian and Cherokee": "օoսuոnցgհhԼLՏSᎪAᏴBᏟCᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏚSᎢTᏙVᎳWᏃZ",
}
_LATIN = {pair[at]: pair[at + 1] for pair in _TWINS.values() for at in range(0, len(pair), 2)}
_TABLE = str.maketrans(_LATIN)
_WORD = re.compile(r"[^\W_]+")


def as_latin(text: str) -> str:
    """What a reader sees: every twin as the Latin letter that it looks like."""
    return text if text.isascii() else text.translate(_TABLE)


def pretending_words(text: str) -> Iterator[str]:
    """Words in which Latin letters stand beside twins of others; a word of one alphabet is what it seems."""
    if text.isascii():
        return
    for word in _WORD.findall(text):
        has_twin = any(letter in _LATIN for letter in word)
        if has_twin and any(letter.isascii() and letter.isalpha() for letter in word):
            yield word
