"""The summary of a proof in Markdown, for a pull request."""

from whet.app.proofs.prove import ProvedChange
from whet.domain.evidence_markdown import render as render_evidence


def render(proof: ProvedChange) -> str:
    """Return a Markdown summary for a pull request."""
    return render_evidence(proof.evidence)
