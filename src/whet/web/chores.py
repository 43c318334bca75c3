"""Work beside the requests of a running server: notifications and webhooks."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from whet.app.notify.notifier import Notifier
from whet.app.webhooks.sending import send_events
from whet.errors import WhetError
from whet.web.site import Site

_log = logging.getLogger("whet.web")


@contextlib.asynccontextmanager
async def doing_chores(site: Site) -> AsyncIterator[None]:
    """Send notifications and webhooks at intervals while the server runs."""
    task = asyncio.create_task(_repeat(site))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _repeat(site: Site) -> None:
    while True:
        await run_in_threadpool(do_chores, site)
        await asyncio.sleep(site.settings.chore_seconds)


def do_chores(site: Site) -> None:
    """Send what is due. A problem is logged and tried again at the next interval; it blocks nothing."""
    notifier = Notifier(site.settings.url)
    for chore in (lambda: notifier.look(site.project), lambda: send_events(site.project)):
        try:
            chore()
        except (WhetError, OSError) as problem:
            _log.warning("notifications: %s", problem)
