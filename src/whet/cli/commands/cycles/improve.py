"""`improve`: search for a better version of a prompt or a workflow, or for faster functions."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.domain.improvement import ImproveResult


def improve(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A declared evaluation or benchmark of whet.toml.")],
    file: Annotated[
        str, typer.Option("--file", metavar="PATH", help="The file to improve, if NAME is about several.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Search and confirm, record no finding.")] = False,
    as_json: Json = False,
) -> int:
    """Search for a better prompt or workflow, or faster functions.

    With an evaluation, whet tries the text without each of its parts, and versions of a model if one is configured. With a
    benchmark, it tries rewrites of the slowest functions. The best version is confirmed by inputs that the search has not
    seen; then `whet run --finding ID` proposes it.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=as_json)
    result = repository_of(project).improve(name, file=file, dry_run=dry_run)
    end_progress(project)
    emit(result) if as_json else say(*_lines(result, dry_run=dry_run))
    return 1 if result.why_not else 0


def _lines(result: "ImproveResult", *, dry_run: bool) -> list[str]:
    improvement = result.improvement
    lines = [f"{improvement.path}, by {improvement.evaluation}: the difference to the present version"]
    lines += [f"    {tried.change}: {tried.comparison}" for tried in improvement.tried]
    if result.why_not:
        return [*lines, f"nothing to propose: {result.why_not}"]
    lines += [f"better {'; '.join(improvement.changes)}", f"confirmed by new inputs: {improvement.confirmed}"]
    return lines if dry_run else [*lines, f"next: whet run --finding {result.finding}"]
