"""The summary of a proof in Markdown, for a pull request."""

from whet.app.proof_markdown import render_evidence
from whet.app.prove import Proof


def render(proof: Proof) -> str:
    """Return a Markdown summary for a pull request."""
    return render_evidence(proof.evidence)
