"""Notifications and webhooks of the repositories that a service looks after, in a thread of their own."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Event, Thread

from whet.app.notify.notifier import Notifier
from whet.app.project import Project, open_project
from whet.app.webhooks.sending import send_events
from whet.errors import WhetError

SECONDS = 20.0
Log = Callable[[str], None]


@contextlib.contextmanager
def telling(pages: Mapping[Path, str], log: Log, seconds: float = SECONDS) -> Iterator[None]:
    """Send what is due at intervals until the block ends. `pages` has the address of each repository's pages, or "".

    A slow receiver delays neither the looks nor the pages: nothing waits for this thread but its own end.
    """
    over = Event()
    thread = Thread(target=_tell, args=([Teller(root, link, log) for root, link in pages.items()], over, seconds))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _tell(tellers: list["Teller"], over: Event, seconds: float) -> None:
    while True:
        for teller in tellers:
            if over.is_set():
                break
            teller.tell()
        if over.wait(seconds):
            break
    for teller in tellers:
        teller.close()


class Teller:
    """Tells people and endpoints about one repository. A problem is logged once and tried again at the next interval."""

    def __init__(self, root: Path, link: str, log: Log) -> None:
        self._root, self._notifier, self._log = root, Notifier(link), log
        self._project: Project | None = None
        self._problem = ""

    def tell(self) -> None:
        """Send what is due now."""
        problems = []
        for send in (self._notifier.look, send_events):
            try:
                send(self._reloaded())
            except WhetError as problem:
                problems.append(problem.message)
            except OSError as problem:
                problems.append(problem.strerror or str(problem))
        text = "; ".join(dict.fromkeys(problems))
        if text and text != self._problem:
            self._log(f"{self._root.name}: notifications and webhooks: {text}")
        self._problem = text

    def close(self) -> None:
        if self._project:
            self._project.store.close()

    def _reloaded(self) -> Project:
        """Return the project with whet.toml as it is now, on a store that is opened once."""
        self._project = self._project.reloaded() if self._project else open_project(self._root)
        return self._project
