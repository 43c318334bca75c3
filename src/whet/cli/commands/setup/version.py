"""`whet version`."""

from whet.cli.commands.shared import Json


def version(as_json: Json = False) -> int:
    """Print the version."""
    from whet import __version__
    from whet.cli.output import emit, say

    emit({"version": __version__}) if as_json else say(__version__)
    return 0
