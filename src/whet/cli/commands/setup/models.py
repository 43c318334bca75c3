"""`models`: the configured language models, their price, their use, and whether they answer."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here, repository_of
from whet.domain.plural import count

if TYPE_CHECKING:
    from whet.app.project import Project
    from whet.app.setup.models import ModelStatus


def models(
    as_json: Json = False,
    check: Annotated[bool, typer.Option("--check", help="Send one tiny request to each configured model.")] = False,
) -> int:
    """Show the language models: price, use, failed edits."""
    from whet.cli.output import emit

    project = open_project_here(as_json=True)
    checked = _check(project) if check else {}
    statuses = repository_of(project).models()
    if as_json:
        emit({"models": statuses, "checks": checked})
    else:
        _show(statuses, checked)
    return 4 if any(not result["ok"] for result in checked.values()) else 0


def _check(project: "Project") -> dict[str, dict[str, object]]:
    """Return for each role whether its model answers, and the sentence about it."""
    from whet.app.setup.models import check_model, configured
    from whet.errors import WhetError

    results: dict[str, dict[str, object]] = {}
    for role, model in configured(project.policy).items():
        try:
            results[role] = {"ok": True, "detail": check_model(project, model), "remedy": ""}
        except WhetError as problem:
            results[role] = {"ok": False, "detail": problem.message, "remedy": problem.remedy}
    return results


def _show(statuses: "list[ModelStatus]", checked: dict[str, dict[str, object]]) -> None:
    from rich.table import Table

    from whet.cli.output import say
    from whet.cli.views import screen
    from whet.cli.views.screen import foreign

    if not any(status.role for status in statuses):
        say("no language model is configured: see [models] in docs/how-to/models.md")
    if statuses:
        table = Table(
            "model",
            "role",
            "price in/out per million",
            "today",
            "edits that did not fit",
            box=None,
            header_style="bold",
        )
        for status in statuses:
            table.add_row(foreign(status.model), status.role or "not configured", *_cells(status))
        screen.console().print(table)
    for status in statuses:
        if status.problem and status.role not in checked:
            say(f"missing  {status.role}: {status.problem}")
            say(f"         {status.remedy}")
    for role, result in checked.items():
        say(f"{'ok     ' if result['ok'] else 'missing'}  {role}: {result['detail']}")
        if result["remedy"]:
            say(f"         {result['remedy']}")


def _cells(status: "ModelStatus") -> tuple[str, str, str]:
    price = f"{status.price_input} / {status.price_output} ({status.price_source})" if status.price_source else ""
    unanswered = f" ({status.unanswered_today} more without answer)" if status.unanswered_today else ""
    used = f"{status.tokens_today:,} tokens, {status.money_today}"
    today = f"{count(status.answers_today, 'answer')}{unanswered}, {used}"
    fits = ", ".join(
        f"{use.format}: {use.failures} of {use.answers} ({use.failure_rate:.0%})" for use in status.formats
    )
    return price, today, fits or "no answers yet"
