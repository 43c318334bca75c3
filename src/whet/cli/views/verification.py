"""The verification of an attestation: its verdict, what was verified, and what was not."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.app.proofs.attestations import VerifiedAttestation
from whet.cli.views.evidence import scope_paragraph
from whet.cli.views.screen import COLOURS, foreign
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.domain.verdict import Verdict


def verification_view(verification: VerifiedAttestation) -> RenderableType:
    evidence = verification.evidence
    colour = COLOURS[evidence.verdict.value]
    about = f"tree {evidence.tree[:10]}, evidence {verification.digest[:12]}"
    lines: list[RenderableType] = [
        Text.from_markup(f"[bold {colour}]{evidence.verdict.value.upper()}[/]  [dim]{about}[/]")
    ]
    if evidence.verdict is Verdict.PASSED:
        lines.append(scope_paragraph(evidence))
    else:
        lines += [Text(f"  {one_line(redact(reason))}") for reason in evidence.reasons]
    table = Table.grid(padding=(0, 2))
    for clause in verification.verified:
        table.add_row("    [green]verified[/]", foreign(one_line(clause)))
    for clause in verification.not_verified:
        table.add_row("    [yellow]not verified[/]", foreign(one_line(clause)))
    return Group(*lines, table)
