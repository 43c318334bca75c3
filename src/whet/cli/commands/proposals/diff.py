"""`whet diff`: the patch of a proposal, or the difference of two versions."""

import sys
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, ProposalId, file_of, find_proposal, open_project_here


def diff(
    proposal: ProposalId,
    between: Annotated[
        list[int] | None, typer.Argument(help="Two versions of a tool or file.", metavar="VERSION")
    ] = None,
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
    if as_json:
        emit(patch)
    elif sys.stdout.isatty():
        screen.console().print(screen.diff(patch.diff))
    else:
        sys.stdout.buffer.write(project.git.diff(patch.base, patch.tree))
    return 0


def _between(name: str, versions: list[int], *, as_json: bool) -> int:
    from whet.app.deployments import rollback
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.errors import UsageError

    if len(versions) != 2:
        raise UsageError("name two versions", "whet diff calculator.divide 1 2")
    project = open_project_here(as_json=True)
    text = rollback.compare(project, file_of(project, name), *versions)
    emit({"diff": text}) if as_json else screen.console().print(screen.diff(text))
    return 0
