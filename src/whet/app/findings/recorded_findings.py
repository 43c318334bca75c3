"""The findings of the last cycle, read from the ledger."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from whet.domain.finding import Finding
from whet.ledger.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class RecordedFindings:
    """The findings of the last cycle as plain rows, best first, and the time of that cycle."""

    findings: tuple[dict[str, Any], ...]
    looked_at: datetime | None


def recorded_findings(ledger: Ledger) -> RecordedFindings:
    """Return what the last cycle found. Runs nothing."""
    entry = ledger.latest("Findings")
    findings = entry.read(tuple[Finding, ...]) if entry else ()
    ranked = sorted(findings, key=lambda finding: -finding.score)
    return RecordedFindings(findings=tuple(map(_row, ranked)), looked_at=entry.at if entry else None)


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "title": finding.title,
        "category": finding.category,
        "paths": finding.paths,
        "signals": len(finding.signals),
        "score": finding.score,
        "reasons": finding.reasons,
    }
