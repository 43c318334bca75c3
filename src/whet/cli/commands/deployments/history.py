"""`whet history`: the versions of a file."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, from_here, open_project_here, repository_of


def history(
    path: Annotated[str, typer.Argument(metavar="FILE", help="A file in the repository.")],
    diff: Annotated[
        tuple[int, int] | None, typer.Option("--diff", help="Show what changed between two versions.")
    ] = None,
    as_json: Json = False,
) -> int:
    """List the versions of a file, and the proposals behind them."""
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.cli.views.versions import versions_table

    project = open_project_here(as_json=True)
    repository, path = repository_of(project), from_here(project, path)
    if diff:
        text = repository.compare(path, *diff)
        emit({"diff": text}) if as_json else screen.console().print(screen.diff(text))
        return 0
    versions = repository.history(path)
    if as_json:
        emit(versions)
        return 0
    screen.console().print(versions_table(versions))
    return 0
