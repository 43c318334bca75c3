"""`whet start`: switch whet on again."""

from whet.cli.commands.shared import Json, open_project_here, repository_of


def start(as_json: Json = False) -> int:
    """Switch whet on again after a stop."""
    from whet.cli.output import emit, say

    was_stopped = repository_of(open_project_here(as_json=True)).start()
    emit({"stopped": False, "was_stopped": was_stopped}) if as_json else say(
        "whet is on again; `whet resume` continues" if was_stopped else "whet was not stopped"
    )
    return 0
