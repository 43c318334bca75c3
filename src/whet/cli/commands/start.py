"""`whet start`: switch whet on again."""

from whet.cli.commands.shared import Json, opened


def start(as_json: Json = False) -> int:
    """Switch whet on again after a stop."""
    from whet.app import kill_switch
    from whet.cli.output import emit, say

    was = kill_switch.start(opened(as_json=True))
    emit({"stopped": False, "was_stopped": was}) if as_json else say(
        "on again; `whet resume` goes on" if was else "whet was on"
    )
    return 0
