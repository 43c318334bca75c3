"""`whet resume`: continue interrupted and answered proposals."""

from whet.cli.commands.shared import Json, open_project_here


def resume(as_json: Json = False) -> int:
    """Continue what was interrupted or has been answered."""
    from whet.app.cycles.loop import running
    from whet.app.views.proposal_view import view_proposals
    from whet.cli.follow import follow

    project = open_project_here(as_json=as_json)
    with running(project) as loop:
        for cycle in [name for name in loop.engine.unfinished() if name.startswith("c-")]:
            loop.wait_for_cycle(cycle)
        unfinished = [view.proposal.id for view in view_proposals(project.ledger) if view.lesson is None]
        return follow(loop, unfinished, as_json=as_json)
