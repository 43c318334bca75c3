"""The proof as plain text with every detail, for a file; a terminal gets the shorter view in colour."""

from io import StringIO

from rich.console import Console

from whet.app.proofs.prove import ProvedChange
from whet.cli.views.evidence import evidence_view

_WIDTH = 200


def render(proof: ProvedChange) -> str:
    """Return the view of the evidence without colours."""
    text = StringIO()
    Console(file=text, highlight=False, emoji=False, width=_WIDTH).print(evidence_view(proof.evidence, everything=True))
    return text.getvalue()
