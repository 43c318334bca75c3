"""`whet run`: take the best finding through all phases."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, note_uncommitted, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.project import Project


def run(
    as_json: Json = False,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Work on the best N proposals.")] = None,
    finding: Annotated[str, typer.Option("--finding", help="Work on this finding only: an id from `whet scan`.")] = "",
    tries: Annotated[int, typer.Option("--tries", min=1, help="Try findings until one has a patch, N at most.")] = 3,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and prove, show what would happen, stop there.")
    ] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why this cycle is started, for the record.")] = "asked for",
) -> int:
    """Fix the best finding, prove the fix, and ask for approval.

    If no patch is found for the best finding, the next one is tried.
    """
    project = open_project_here(as_json=as_json)
    if not as_json:
        note_uncommitted(project)
    if dry_run:
        return _dry_run(project, top, finding, as_json=as_json)
    from whet.app.findings.known_findings import refuse_unknown_finding

    refuse_unknown_finding(project, finding)
    project.prefetch_first_test_run()
    from whet.app.cycles.loop import running
    from whet.app.service.heartbeat import is_served
    from whet.cli.follow import follow_cycles
    from whet.errors import AlreadyRunning

    try:
        with running(project) as loop:
            return follow_cycles(loop, reason, top=top, finding=finding, tries=tries, as_json=as_json)
    except AlreadyRunning:
        if not is_served(project):
            raise
        return _hand_over(project, reason, top, finding, as_json=as_json)


def _hand_over(project: "Project", reason: str, top: int | None, finding: str, *, as_json: bool) -> int:
    """Give the request to the service, which is at work on this repository. Exit 5: it is recorded and waits."""
    from whet.app.service.request import request_cycle
    from whet.cli.output import emit, say

    request = request_cycle(project, reason, "cli", top or 0, finding)
    end_progress(project)
    if as_json:
        emit({"requested": request})
    else:
        say(f"the service is at work here and takes {request.id} next; `whet status` and `whet list` show how it goes")
    return 5


def _dry_run(project: "Project", top: int | None, finding: str, *, as_json: bool) -> int:
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view
    from whet.cli.views.screen import foreign
    from whet.domain.canonical import to_plain

    result = repository_of(project).dry_run(top=top, finding=finding)
    end_progress(project)
    if as_json:
        emit([{**to_plain(preview), "next": preview.next} for preview in result.previews])
        return 0
    if not result.previews:
        say(f"nothing would be proposed: {result.why_nothing}")
    for preview in result.previews:
        screen.console().print(f"[bold]{foreign(preview.proposal.title)}[/bold]", markup=True)
        if preview.evidence and preview.build and preview.build.patch:
            screen.console().print(screen.diff(preview.build.patch.diff), evidence_view(preview.evidence))
        say(f"would {preview.next}")
    return 0
