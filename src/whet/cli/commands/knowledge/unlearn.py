"""`unlearn`: remove a preference or a pattern, and its effect."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, Why, open_project_here, repository_of


def unlearn(
    identity: Annotated[str, typer.Argument(metavar="ID", help="From `whet preferences` or `whet patterns`.")],
    why: Why = "",
    as_json: Json = False,
) -> int:
    """Remove a preference or a pattern, and its effect.

    The decisions stay in the ledger; they no longer count for this preference.
    """
    from whet.cli.output import emit, say

    removed = repository_of(open_project_here(as_json=True)).unlearn(identity, why)
    emit({"unlearned": removed}) if as_json else say(f"unlearned {removed}")
    return 0
