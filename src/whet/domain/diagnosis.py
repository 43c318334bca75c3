"""The diagnosis of a finding."""

from dataclasses import dataclass

from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.place import Place


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """A finding with the layer of its likely cause and the suspicious lines, most suspicious first."""

    finding: Finding
    layer: Layer
    places: tuple[Place, ...]
    evidence: tuple[str, ...]
    confidence: float
