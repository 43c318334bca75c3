"""Work beside the requests of a running server: notifications and webhooks."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool

from whet.app.notify.notifier import Notifier
from whet.app.project import Project
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
    notifier = Notifier(site.settings.url)
    while True:
        await run_in_threadpool(do_chores, site, notifier)
        await asyncio.sleep(site.settings.chore_seconds)


def do_chores(site: Site, notifier: Notifier) -> None:
    """Send what is due. A problem is logged and tried again at the next interval; it blocks nothing."""
    project = site.project
    for chore in (notifier.look, send_events):
        _attempt(chore, project)


def _attempt(chore: Callable[[Project], object], project: Project) -> None:
    try:
        chore(project)
    except (WhetError, OSError, ValueError) as problem:
        _log.warning("notifications and webhooks: %s", problem)
