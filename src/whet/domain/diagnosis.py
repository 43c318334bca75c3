from dataclasses import dataclass

from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.place import Place


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """A finding, the layer its cause lives in, and the places to look, most suspicious first."""

    finding: Finding
    layer: Layer
    places: tuple[Place, ...]
    evidence: tuple[str, ...]
    confidence: float
