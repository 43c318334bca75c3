"""`whet sync`: compare repository, registry and running processes."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, file_of, opened


def sync(
    tool: Annotated[str, typer.Argument(help="Only this tool's module, or file.")] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Record the merge of both sides as a suggested change.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Compare repository, registry and running processes.

    Exits with 1 if they differ.
    """
    from rich.table import Table

    from whet.app.versions import SyncState
    from whet.app.versions import sync as compare
    from whet.cli.output import emit, say
    from whet.cli.views import screen

    if merge:
        return _merge(tool, as_json=as_json)
    project = opened(as_json=True)
    found = compare(project, file_of(project, tool) if tool else "")
    if as_json:
        emit(found)
    elif not found:
        say("no application has recorded a tool here")
    else:
        table = Table(
            "module",
            "repository",
            "registry",
            "processes",
            "standing",
            "",
            box=None,
            pad_edge=False,
            header_style="bold",
        )
        for one in found:
            running = ", ".join(f"{pid}: {version}" for pid, version in one.processes.items()) or "none"
            registry = one.registry + (f" (trying {one.candidate})" if one.candidate else "")
            table.add_row(one.module, one.repository or "-", registry or "-", running, one.standing.value, one.words)
        screen.console().print(table)
    return 0 if all(one.standing is SyncState.IN_STEP for one in found) else 1


def _merge(tool: str, *, as_json: bool) -> int:
    from whet.app.loop import running
    from whet.app.three_way_merge import suggest_merge
    from whet.cli.follow import follow
    from whet.errors import UsageError

    if not tool:
        raise UsageError("name the tool or file to merge", "whet sync TOOL --merge; `whet sync` shows which need it")
    project = opened(as_json=as_json)
    suggested = suggest_merge(project, file_of(project, tool))
    with running(project) as loop:
        proposals = loop.wait_for_cycle(loop.start(suggested.text))
        return follow(loop, proposals, as_json=as_json)
