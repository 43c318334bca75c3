"""`whet sync`: compare repository, registry and running processes."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, file_of, open_project_here, repository_of


def sync(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Only this tool's module, or file.")] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Record the merge of both sides as a suggested change.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Compare repository, registry and running processes.

    Exits with 1 if they differ.
    """
    from rich.table import Table

    from whet.app.deployments.versions import SyncState
    from whet.cli.output import emit, say
    from whet.cli.views import screen

    if merge:
        return _merge(tool, as_json=as_json)
    project = open_project_here(as_json=True)
    rows = repository_of(project).sync(file_of(project, tool) if tool else "")
    if as_json:
        emit(rows)
    elif not rows:
        say("no application has recorded a tool here")
    else:
        table = Table(
            "module",
            "repository",
            "registry",
            "processes",
            "state",
            "",
            box=None,
            pad_edge=False,
            header_style="bold",
        )
        for row in rows:
            running = ", ".join(f"{pid}: {version}" for pid, version in row.processes.items()) or "none"
            registry = row.registry + (f" (trying {row.candidate})" if row.candidate else "")
            table.add_row(row.module, row.repository or "-", registry or "-", running, row.state.value, row.words)
        screen.console().print(table)
    return 0 if all(row.state in (SyncState.IN_STEP, SyncState.TRYING) for row in rows) else 1


def _merge(tool: str, *, as_json: bool) -> int:
    from whet.app.cycles.loop import running
    from whet.app.deployments.three_way_merge import suggest_merge
    from whet.cli.follow import follow
    from whet.errors import UsageError

    if not tool:
        raise UsageError("name the tool or file to merge", "whet sync TOOL --merge; `whet sync` shows which need it")
    project = open_project_here(as_json=as_json)
    suggested = suggest_merge(project, file_of(project, tool))
    with running(project) as loop:
        proposals = loop.wait_for_cycle(loop.start(suggested.text))
        return follow(loop, proposals, as_json=as_json)
