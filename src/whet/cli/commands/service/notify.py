"""`whet notify`: tell people what waits for them, now."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here


def notify(
    test: Annotated[bool, typer.Option("--test", help="Send a test message to every channel.")] = False,
    as_json: Json = False,
) -> int:
    """Send the notifications that are due, each once.

    The channels are apprise addresses in WHET_NOTIFY_URLS, or one a line in .whet/notify.urls (mode 0600). `whet serve`
    does this by itself. Exits with 1 if a delivery failed.
    """
    from whet.app.notify.channels import FILE, VARIABLE, channel_urls
    from whet.app.notify.notifier import Notifier, send_test
    from whet.cli.output import emit, say
    from whet.errors import UsageError

    project = open_project_here(as_json=as_json)
    if not channel_urls(project.state):
        raise UsageError("there is no channel to notify", f"set {VARIABLE}, or write addresses to .whet/{FILE}")
    deliveries = send_test(project) if test else Notifier().look(project)
    if as_json:
        emit(deliveries)
    elif not deliveries:
        say("nothing is due")
    else:
        say(*(f"{'failed' if d.error else 'sent'}  {d.channel}  {d.title}  {d.error}".rstrip() for d in deliveries))
    return 1 if any(delivery.error for delivery in deliveries) else 0
