"""`whet list`: the proposals and their status."""

from whet.cli.commands.shared import Json, brief, opened, repository_of


def list_(as_json: Json = False) -> int:
    """List the proposals and their status."""
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.proposal import list_table

    found = repository_of(opened(as_json=True)).proposals()
    if as_json:
        emit([brief(one) for one in found])
    elif found:
        screen.console().print(list_table(found))
    else:
        say("no proposals yet: `whet run` makes the first")
    return 0
