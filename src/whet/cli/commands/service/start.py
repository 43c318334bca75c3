"""`whet start`: switch whet on again."""

from whet.cli.commands.shared import Json, open_project_here


def start(as_json: Json = False) -> int:
    """Switch whet on again after a stop."""
    from whet.app import kill_switch
    from whet.cli.output import emit, say

    was_stopped = kill_switch.start(open_project_here(as_json=True))
    emit({"stopped": False, "was_stopped": was_stopped}) if as_json else say(
        "whet is on again; `whet resume` continues" if was_stopped else "whet was not stopped"
    )
    return 0
