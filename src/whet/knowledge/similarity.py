"""How similar two failure texts are: by the character trigrams that they share, or by embeddings (`embeddings.py`)."""

import math
import re
from collections import Counter
from collections.abc import Callable

from whet.config import ProposePolicy

_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
_LONGEST = 2000

Similarity = Callable[[str, str], float]


def similarity_of(policy: ProposePolicy) -> Similarity:
    """Return the configured similarity. Below `similarity_threshold` it is 0."""
    compare: Similarity = trigram_similarity
    if policy.similarity == "embeddings":
        from whet.knowledge.embeddings import Embeddings  # the extra whet[embeddings]

        compare = Embeddings()

    def similar(left: str, right: str) -> float:
        likeness = compare(left, right)
        return likeness if likeness >= policy.similarity_threshold else 0.0

    return similar


def trigram_similarity(left: str, right: str) -> float:
    """Return the cosine of the trigram counts of two texts, from 0 to 1. Numbers and addresses count as equal."""
    counts, others = _trigrams(left), _trigrams(right)
    if not counts or not others:
        return 0.0
    shared = sum(count * others[trigram] for trigram, count in counts.items())
    lengths = math.prod(math.sqrt(sum(count * count for count in each.values())) for each in (counts, others))
    return round(shared / lengths, 4)


def plain(text: str) -> str:
    """Return the part of a text that is compared, with every number and address replaced by 0."""
    return _NUMBER.sub("0", text[:_LONGEST])


def _trigrams(text: str) -> Counter[str]:
    lower = plain(text.lower())
    return Counter(lower[index : index + 3] for index in range(len(lower) - 2))
