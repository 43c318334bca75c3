"""Similarity of failure texts by embeddings: the static word vectors that the package wordllama ships, without a network."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whet.errors import EnvironmentProblem
from whet.knowledge.similarity import plain

if TYPE_CHECKING:
    import numpy

_MOST_TEXTS = 10_000


class Embeddings:
    """The cosine of the texts' vectors. Loading the weights takes about a second; a text takes microseconds.

    Raise EnvironmentProblem if the package is missing. Its weights are 256 numbers for each piece of a word; nothing is downloaded.
    """

    def __init__(self) -> None:
        try:
            import wordllama
        except ImportError as missing:
            raise EnvironmentProblem(
                'propose.similarity is "embeddings", and the package wordllama is not installed',
                "pip install 'whet[embeddings]', or choose trigrams",
            ) from missing
        package = Path(wordllama.__file__).parent
        # `load` looks for the tokenizer in a folder of its cache that the package names differently, unless it may not download
        model = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
        self._vector = lru_cache(_MOST_TEXTS)(lambda text: _unit(model.embed([text])[0]))

    def __call__(self, left: str, right: str) -> float:
        """Return the similarity from 0 to 1; opposite directions count as 0."""
        if not left.strip() or not right.strip():
            return 0.0
        return round(max(0.0, float(self._vector(plain(left)) @ self._vector(plain(right)))), 4)


def _unit(vector: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    length = float((vector @ vector) ** 0.5)
    return vector / length if length else vector
