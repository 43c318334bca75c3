"""The versions of a file as a table."""

from collections.abc import Iterable

from rich.table import Table

from whet.app.deployments.rollback import Version
from whet.cli.views.screen import foreign


def versions_table(versions: Iterable[Version]) -> Table:
    """Return a row for each version: where it comes from, and the proposal behind it."""
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for version in versions:
        texts = (foreign(text) for text in (version.author, version.proposal, version.subject))
        table.add_row(str(version.number), version.commit[:10], version.at, *texts)
    return table
