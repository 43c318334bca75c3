"""Commands about the versions of tools that run."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, file_of, opened


def versions(
    tool: Annotated[str, typer.Argument(help="A tool's name, as its application declares it, or a file.")],
    as_json: Json = False,
) -> int:
    """List every version of a tool's module; `whet diff TOOL V1 V2` compares two, `whet rollback TOOL --to V` goes back."""
    from rich.table import Table

    from whet.app import rollback
    from whet.cli import render
    from whet.cli.output import emit

    project = opened(as_json=True)
    found = rollback.history(project, file_of(project, tool))
    if as_json:
        emit(found)
        return 0
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for one in found:
        table.add_row(str(one.number), one.commit[:10], one.at, one.author, one.proposal, one.subject)
    render.console().print(table)
    return 0


def sync(
    tool: Annotated[str, typer.Argument(help="Only this tool's module, or file.")] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Carry what both sides changed through the loop, as one change.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Show repository, registry and running processes side by side, and where they differ. Exit code 1: something does."""
    from rich.table import Table

    from whet.app.versions import SyncState
    from whet.app.versions import sync as compare
    from whet.cli import render
    from whet.cli.output import emit, say

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
        render.console().print(table)
    return 0 if all(one.standing is SyncState.IN_STEP for one in found) else 1


def _merge(tool: str, *, as_json: bool) -> int:
    from whet.app.loop import running
    from whet.app.three_way_merge import suggest_merge
    from whet.cli.commands.working import see_through
    from whet.errors import UsageError

    if not tool:
        raise UsageError("name the tool or file to merge", "whet sync TOOL --merge; `whet sync` shows which need it")
    project = opened(as_json=as_json)
    suggested = suggest_merge(project, file_of(project, tool))
    with running(project) as loop:
        proposals = loop.wait_for_cycle(loop.start(suggested.text))
        return see_through(loop, proposals, as_json=as_json)
