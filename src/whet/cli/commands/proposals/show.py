"""`whet show`: everything on record about a proposal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, ProposalId, find_proposal

if TYPE_CHECKING:
    from whet.app.project import Project


def show(
    proposal: ProposalId,
    everything: Annotated[bool, typer.Option("--all", help="Show everything on record.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the page of the proposal as one HTML file.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Show a proposal: the patch, its proof, what is open.

    --all shows everything on record: diagnosis, every check and safeguard, answers, deployments.
    """
    from whet.app.views.proposal_report import brief, full
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.gate import proposal_screen
    from whet.cli.views.proposal import proposal_details

    project, view = find_proposal(proposal)
    if html:
        _write_page(project, view.proposal.id, html)
        emit({"proposal": view.proposal.id, "path": str(html)}) if as_json else say(f"wrote {html}")
    elif as_json:
        emit({**brief(view), **full(view)})
    else:
        screen.console().print(proposal_details(view) if everything else proposal_screen(view))
    return 0


def _write_page(project: "Project", identity: str, file: Path) -> None:
    """Write the page of a proposal; `-` is standard output."""
    from whet.cli.ask import write_text
    from whet.errors import EnvironmentProblem

    try:
        from whet.web.pages.export import export_proposal
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem(
            f"pages need a package that is not installed: {missing.name}", "pip install 'whet[web]'"
        ) from missing
    write_text(file, export_proposal(project, identity))
