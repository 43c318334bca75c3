"""`whet rollback`: roll a deployment back, or restore a version of a file."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, Why, end_progress, file_of, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.domain.deployment import Rollback


def rollback(
    identity: Annotated[
        str, typer.Argument(metavar="DEPLOYMENT", help="A deployment or proposal; with --to, a tool or a path.")
    ],
    why: Why = "rolled back by hand",
    to: Annotated[int | None, typer.Option("--to", min=1, help="Restore this version of the tool or path.")] = None,
    despite_damage: Annotated[
        str, typer.Option("--despite-damage", help="Your reason to roll back although the record is damaged.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Roll back a deployment, or restore a version of a file.

    Both are commits with the reason.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=as_json)
    repository = repository_of(project)
    if to:
        result = repository.restore(file_of(project, identity), to, why)
    else:
        result = repository.rollback(identity, why, despite_damage=despite_damage)
    end_progress(project)
    if as_json:
        emit(result)
    else:
        action = "restored" if to else result.words
        say(f"{action}: {result.deployment}; {_where(result)}")
    return 0


def _where(result: "Rollback") -> str:
    """Return what happened to the branch. On a forge, people merge the pull request that reverts the change."""
    if result.offered:
        branch = f"whet/revert-{result.before[:12]}"
        return f"the change stays until people merge the pull request of the branch {branch}"
    now = "removed" if set(result.after) == {"0"} else f"is at {result.after[:10]}"
    return f"{result.ref.removeprefix('refs/heads/')} {now}"
