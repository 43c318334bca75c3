"""`whet scan`: list the findings, change nothing."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, note_uncommitted, open_project_here, repository_of


def scan(
    as_json: Json = False,
    everything: Annotated[bool, typer.Option("--all", help="Also show findings that no engine can act on.")] = False,
    parity: Annotated[
        Path | None,
        typer.Option("--parity", metavar="FILE", help="Compare with your own run: pytest --junitxml=FILE."),
    ] = None,
) -> int:
    """List what could be better, ranked, with the reasons.

    Runs the test suite once and changes nothing. `whet run --finding ID` works on one of them.
    """
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.parity import parity_lines
    from whet.cli.views.scan import scan_table

    project = open_project_here(as_json=as_json)
    if not as_json:
        note_uncommitted(project)
    result = repository_of(project).scan(parity=parity)
    end_progress(project)
    if as_json:
        emit(result)
    else:
        screen.console().print(scan_table(result, everything=everything))
        if result.parity:
            say(*parity_lines(result.parity))
    return 0
