"""The proof as JSON: the form that docs/evidence.md describes."""

import json

from whet.app.proofs.prove import ProvedChange, report
from whet.domain.canonical import to_plain
from whet.domain.redact_noun import redact_noun


def render(proof: ProvedChange) -> str:
    """Return the report of a proof as JSON."""
    return json.dumps(to_plain(redact_noun(report(proof.evidence))), indent=2) + "\n"
