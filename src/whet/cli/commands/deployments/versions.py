"""`whet versions`: the versions of a tool's module."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, file_of, open_project_here


def versions(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", help="A tool's name, as its application declares it, or a file.")
    ],
    as_json: Json = False,
) -> int:
    """List the versions of a tool's module.

    `whet diff TOOL V1 V2` compares two of them, `whet rollback TOOL --to V` restores one.
    """
    from rich.table import Table

    from whet.app.deployments import rollback
    from whet.cli.output import emit
    from whet.cli.views import screen

    project = open_project_here(as_json=True)
    history = rollback.history(project, file_of(project, tool))
    if as_json:
        emit(history)
        return 0
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for version in history:
        table.add_row(
            str(version.number), version.commit[:10], version.at, version.author, version.proposal, version.subject
        )
    screen.console().print(table)
    return 0
