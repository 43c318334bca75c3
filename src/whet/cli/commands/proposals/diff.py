"""`whet diff`: the patch of a proposal, or the difference of two versions."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, ProposalId, file_of, find_proposal, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.domain.build import Build
    from whet.domain.patch import Patch


def diff(
    proposal: ProposalId,
    between: Annotated[
        list[int] | None, typer.Argument(help="Two versions of a tool or file.", metavar="VERSION")
    ] = None,
    rival: Annotated[int, typer.Option("--rival", min=0, help="Another patch of the proposal, by its number.")] = 0,
    as_json: Json = False,
) -> int:
    """Show a proposal's patch, or compare two versions of a tool.

    Without a terminal the patch is written byte for byte.
    """
    if between:
        return _between(proposal, between, as_json=as_json)
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.errors import Refused

    project, view = find_proposal(proposal)
    patch = view.built.patch if view.built else None
    if patch is None:
        raise Refused(f"{view.proposal.id} has no patch" + (f": {view.built.note}" if view.built else " yet"))
    if rival:
        patch = _rival(view.built, rival)
    if as_json:
        emit(patch)
    elif sys.stdout.isatty():
        screen.console().print(screen.diff(patch.diff))
    else:
        sys.stdout.buffer.write(project.git.diff(patch.base, patch.tree))
    return 0


def _rival(built: "Build | None", number: int) -> "Patch":
    """Return another patch that did as well as the offered one. Refuse a number that no patch has."""
    from whet.domain.plural import count
    from whet.errors import UsageError

    rivals = built.rivals if built else ()
    if number > len(rivals):
        there = f"it has {count(len(rivals), 'other patch')}" if rivals else "it has no other patch"
        raise UsageError(
            f"there is no patch {number} beside the offered one: {there}", "`whet diff PROPOSAL` shows the patch"
        )
    return rivals[number - 1]


def _between(name: str, versions: list[int], *, as_json: bool) -> int:
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.errors import UsageError

    if len(versions) != 2:
        raise UsageError("name two versions", "whet diff calculator.divide 1 2")
    project = open_project_here(as_json=True)
    text = repository_of(project).compare(file_of(project, name), *versions)
    emit({"diff": text}) if as_json else screen.console().print(screen.diff(text))
    return 0
