"""The diagnosis of a finding."""

from dataclasses import dataclass

from whet.domain.attribution import CONFIDENCE_WITHOUT_REPLAY, Attribution
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.place import Place


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """A finding with the layer of its likely cause and the suspicious lines, most suspicious first.

    `attribution` is there if replay with earlier versions showed the layer; otherwise the first place gives it.
    `confidence` is that of the first place.
    """

    finding: Finding
    layer: Layer
    places: tuple[Place, ...]
    evidence: tuple[str, ...]
    confidence: float
    attribution: Attribution | None = None

    @property
    def layer_confidence(self) -> float:
        """Return how often a layer that was found in this way is right, by the labelled cases of the benchmark."""
        return self.attribution.confidence if self.attribution else CONFIDENCE_WITHOUT_REPLAY
