"""`whet versions`: the versions of a tool's module."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, file_of, open_project_here, repository_of


def versions(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", help="A tool's name, as its application declares it, or a file.")
    ],
    as_json: Json = False,
) -> int:
    """List the versions of a tool's module.

    `whet diff TOOL V1 V2` compares two of them, `whet rollback TOOL --to V` restores one.
    """
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.cli.views.versions import versions_table

    project = open_project_here(as_json=True)
    history = repository_of(project).history(file_of(project, tool))
    if as_json:
        emit(history)
        return 0
    screen.console().print(versions_table(history))
    return 0
