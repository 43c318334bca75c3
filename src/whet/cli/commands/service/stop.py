"""`whet stop`: switch whet off."""

from whet.cli.commands.shared import Json, Why, repository_of


def stop(why: Why = "", as_json: Json = False) -> int:
    """Switch whet off at once.

    Running sandboxes end within a second, nothing new begins, and nothing is deployed any more.
    """
    from whet.app.project import open_project
    from whet.cli.output import emit, say

    repository_of(open_project(stopping=True)).stop(why)
    emit({"stopped": True}) if as_json else say("stopped; `whet start` switches whet on again")
    return 0
