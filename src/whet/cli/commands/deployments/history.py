"""`whet history`: the versions of a file."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, from_here, open_project_here


def history(
    path: Annotated[str, typer.Argument(metavar="FILE", help="A file in the repository.")],
    diff: Annotated[
        tuple[int, int] | None, typer.Option("--diff", help="Show what changed between two versions.")
    ] = None,
    as_json: Json = False,
) -> int:
    """List the versions of a file, and the proposals behind them."""
    from rich.table import Table

    from whet.app.deployments import rollback
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.cli.views.screen import foreign

    project = open_project_here(as_json=True)
    path = from_here(project, path)
    if diff:
        text = rollback.compare(project, path, *diff)
        emit({"diff": text}) if as_json else screen.console().print(screen.diff(text))
        return 0
    versions = rollback.history(project, path)
    if as_json:
        emit(versions)
        return 0
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for version in versions:
        texts = (foreign(text) for text in (version.author, version.proposal, version.subject))
        table.add_row(str(version.number), version.commit[:10], version.at, *texts)
    screen.console().print(table)
    return 0
