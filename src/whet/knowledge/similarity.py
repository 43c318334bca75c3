"""Compare failure texts by the character trigrams that they share."""

import math
import re
from collections import Counter

_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
_LONGEST = 2000


def similarity(left: str, right: str) -> float:
    """Return the cosine of the trigram counts of two texts, from 0 to 1. Numbers and addresses count as equal."""
    counts, others = _trigrams(left), _trigrams(right)
    if not counts or not others:
        return 0.0
    shared = sum(count * others[trigram] for trigram, count in counts.items())
    lengths = math.prod(math.sqrt(sum(count * count for count in each.values())) for each in (counts, others))
    return round(shared / lengths, 4)


def _trigrams(text: str) -> Counter[str]:
    plain = _NUMBER.sub("0", text[:_LONGEST].lower())
    return Counter(plain[index : index + 3] for index in range(len(plain) - 2))
