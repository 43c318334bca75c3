"""`webhooks`: the addresses that events are sent to."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here

EXAMPLES = {
    "add": "whet webhooks add https://example.com/hook --kind Question",
    "list": "whet webhooks list",
    "remove": "whet webhooks remove w1",
}
group = typer.Typer(
    name="webhooks",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Send events to other systems, signed. `whet serve` sends them.",
    epilog=f"Example: {EXAMPLES['add']}",
)


def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="An https address.")],
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="Send only entries of this kind; repeatable.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Add an address and print its secret, once.

    Every new ledger entry is posted to it as a Standard Webhook: subject, phase, kind and sequence, no content.
    """
    from whet.app.webhooks.endpoints import add_endpoint
    from whet.cli.output import note

    project = open_project_here(as_json=True)
    endpoint = add_endpoint(project.state, url, tuple(kind or ()), project.ledger.head().seq)
    if as_json:
        import json

        typer.echo(json.dumps({"name": endpoint.name, "url": endpoint.shown_url, "secret": endpoint.secret}))
        return 0
    note(f"{endpoint.name} sends to {endpoint.shown_url}; its secret is shown only now")
    typer.echo(endpoint.secret)
    return 0


def list_webhooks(as_json: Json = False) -> int:
    """List the addresses, without their secrets."""
    from whet.app.webhooks.endpoints import read_endpoints
    from whet.cli.output import emit, say

    endpoints = read_endpoints(open_project_here(as_json=True).state)
    rows = [
        {"name": e.name, "url": e.shown_url, "kinds": e.kinds, "after": e.after, "failures": e.failures}
        for e in endpoints
    ]
    if as_json:
        emit(rows)
    elif not rows:
        say("there are no webhooks: `whet webhooks add URL` adds one")
    else:
        say(*(f"{row['name']:<5} {row['url']}  up to {row['after']}, {row['failures']} failures" for row in rows))
    return 0


def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The webhook, such as w1.")], as_json: Json = False
) -> int:
    """Remove an address."""
    from whet.app.webhooks.endpoints import remove_endpoint
    from whet.cli.output import emit, say

    remove_endpoint(open_project_here(as_json=True).state, name)
    emit({"removed": name}) if as_json else say(f"{name} is removed")
    return 0


group.command(name="add", epilog=f"Example: {EXAMPLES['add']}")(add)
group.command(name="list", epilog=f"Example: {EXAMPLES['list']}")(list_webhooks)
group.command(name="remove", epilog=f"Example: {EXAMPLES['remove']}")(remove)
