"""`budget`: what the policy grants, and what is left of it."""

from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from datetime import datetime

    from whet.app.budget import BudgetStatus


def budget(as_json: Json = False) -> int:
    """Show every budget: granted, reserved, spent, left."""
    from whet.cli.output import emit

    budgets = repository_of(open_project_here(as_json=True)).budget()
    if as_json:
        emit({"budgets": budgets})
    else:
        _show(budgets)
    return 0


def _show(budgets: "list[BudgetStatus]") -> None:
    from rich.table import Table

    from whet.cli.views import screen
    from whet.cli.views.screen import foreign

    table = Table("budget", "granted", "reserved", "spent", "left", "renews", box=None, header_style="bold")
    for status in budgets:
        name = f"{status.budget.words} on {status.signature}" if status.signature else f"{status.budget.words} a day"
        when = _when("cools down until", status.cools_until) or _when("from", status.renews_at)
        table.add_row(foreign(name), status.granted, status.reserved, status.spent, status.left, when)
    screen.console().print(table)


def _when(word: str, at: "datetime | None") -> str:
    return f"{word} {at:%Y-%m-%d %H:%M} UTC" if at else ""
