"""`whet rollback`: roll a deployment back, or restore a version of a file."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, Why, end_progress, file_of, opened, repository_of


def rollback(
    which: Annotated[str, typer.Argument(help="A deployment or proposal; with --to, a tool or a path.")],
    why: Why = "rolled back by hand",
    to: Annotated[
        int | None, typer.Option("--to", min=1, help="Restore this version of the tool's module or of the path.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Roll back a deployment, or restore a version of a file.

    Both are commits with the reason.
    """
    from whet.cli.output import emit, say

    project = opened(as_json=as_json)
    repository = repository_of(project)
    done = repository.restore(file_of(project, which), to, why) if to else repository.rollback(which, why)
    end_progress(project)
    if as_json:
        emit(done)
    else:
        now = "removed" if set(done.after) == {"0"} else f"is at {done.after[:10]}"
        say(f"done: {done.deployment}; {done.ref.removeprefix('refs/heads/')} {now}")
    return 0
