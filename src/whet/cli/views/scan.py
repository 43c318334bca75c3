"""The findings of a scan as a table."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.app.findings.scan import Scan
from whet.cli.views.screen import foreign
from whet.domain.finding import REPORTED
from whet.domain.plural import count
from whet.domain.sanitize import one_line, sanitize
from whet.target.missing_files import extra_files_hint


def scan_table(scan: Scan, *, everything: bool = False) -> RenderableType:
    table = Table("id", "score", "finding", "category", "why", "engine", box=None, pad_edge=False, header_style="bold")
    rows = [row for row in scan.findings if row.engines or everything or row.finding.kind in REPORTED]
    for row in rows:
        finding = row.finding
        table.add_row(
            finding.id, f"{finding.score:.2f}", foreign(one_line(finding.title)), finding.category.value,
            foreign("; ".join(finding.reasons)), ", ".join(row.engines) or "[dim]none[/dim]",
        )  # fmt: skip
    ran = f"{scan.passed} of {count(scan.tests, 'test')} passed in {scan.seconds} s"
    tests = ran if scan.tests else "the suite has no tests, so nothing can be proved"
    summary = f"{tests}; {count(scan.signals, 'signal')} at {scan.base[:10]}"
    if hidden := len(scan.findings) - len(rows):
        summary += f"; {count(hidden, 'more finding')} that no engine can act on (--all)"
    summary += "".join(f"\n{one_line(sentence)}" for sentence in scan.limits)
    if scan.missing:
        summary += f"\n{sanitize(one_line(extra_files_hint(scan.missing)))}"
    return Group(table, Text(summary, style="dim")) if rows else Text(f"nothing to act on: {summary}")
