"""The annotations of a proof, for every format that shows them at their lines."""

from whet.app.proofs.prove import ProvedChange
from whet.domain.annotation import Annotation, annotations_of


def annotations(proof: ProvedChange) -> list[Annotation]:
    """Return the annotations of a proof, the heaviest first, each once."""
    return annotations_of(proof.evidence, proof.patch.paths)
