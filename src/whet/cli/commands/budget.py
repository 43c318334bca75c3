"""`budget`: what the policy grants, and what is left of it."""

from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json, opened

if TYPE_CHECKING:
    from datetime import datetime

    from whet.app.budget import Standing


def budget(as_json: Json = False) -> int:
    """Show every budget: granted, reserved, spent, left."""
    from whet.app.budget import standings
    from whet.cli.output import emit

    found = standings(opened(as_json=True))
    if as_json:
        emit({"budgets": found})
    else:
        _show(found)
    return 0


def _show(found: "list[Standing]") -> None:
    from rich.table import Table

    from whet.cli.views import screen
    from whet.cli.views.screen import foreign

    table = Table("budget", "granted", "reserved", "spent", "left", "renews", box=None, header_style="bold")
    for one in found:
        name = f"{one.budget.words} on {one.signature}" if one.signature else f"{one.budget.words} a day"
        when = _when("cools down until", one.cools_until) or _when("from", one.renews_at)
        table.add_row(foreign(name), one.granted, one.reserved, one.spent, one.left, when)
    screen.console().print(table)


def _when(word: str, at: "datetime | None") -> str:
    return f"{word} {at:%Y-%m-%d %H:%M} UTC" if at else ""
