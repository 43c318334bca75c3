"""`whet list`: the proposals and their status."""

from whet.cli.commands.shared import Json, open_project_here, repository_of


def list_(as_json: Json = False) -> int:
    """List the proposals and their status."""
    from whet.app.views.proposal_report import brief
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.proposal import list_table

    views = repository_of(open_project_here(as_json=True)).proposals()
    if as_json:
        emit([brief(view) for view in views])
    elif views:
        screen.console().print(list_table(views))
    else:
        say("no proposals yet: `whet run` makes the first")
    return 0
