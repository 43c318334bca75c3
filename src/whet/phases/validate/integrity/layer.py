from collections.abc import Iterable
from dataclasses import dataclass

from whet.domain.verdict import Verdict


@dataclass(frozen=True)
class Layer:
    """What one layer saw: `passed`, a verdict against the patch, or None where it had nothing to ask."""

    name: str
    verdict: Verdict | None
    words: str


def worst(layers: Iterable[Layer]) -> Layer | None:
    """The layer that decides: the first that failed, else the first that doubts; None when all held."""
    found = list(layers)
    for verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        for layer in found:
            if layer.verdict is verdict:
                return layer
    return None
