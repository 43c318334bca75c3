"""The parent process of the service: looks at every repository in turn until it is told to stop."""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event

from whet.app.service.sd_notify import notify_systemd
from whet.app.service.telling import telling
from whet.app.service.watched_repository import Log, WatchedRepository
from whet.domain.own_files import FILE_NAME
from whet.errors import UsageError


def repositories_in(paths: Sequence[Path]) -> list[Path]:
    """Return the repositories that these paths name: each itself, or all those with a whet.toml directly in it."""
    found: list[Path] = []
    for path in paths:
        below = sorted(folder for folder in path.iterdir() if _is_ready(folder)) if path.is_dir() else []
        if _is_ready(path) or not below:
            found.append(path.resolve())
        else:
            found += [folder.resolve() for folder in below]
    return list(dict.fromkeys(found))


def _is_ready(folder: Path) -> bool:
    return (folder / FILE_NAME).is_file() and (folder / ".git").exists()


def serve(
    roots: Sequence[Path],
    over: Event,
    log: Log,
    at_once: int = 2,
    pages: Mapping[Path, str] | None = None,
    *,
    shared: bool = False,
) -> None:
    """Serve these repositories until `over` is set. At most `at_once` of them are worked on at a time.

    `pages` are the addresses of their pages, for the links in notifications. With `shared`, other services may look after
    the same repositories: each works on those where no other process is at work, and goes on where another was killed.
    """
    if not roots:
        raise UsageError("no repository to serve", "whet serve --repository PATH")
    with contextlib.ExitStack() as opened:
        watched = []
        for root in roots:
            repository = WatchedRepository(root, log, shared=shared)
            opened.callback(repository.close)
            watched.append(repository)
        opened.enter_context(telling({root: (pages or {}).get(root, "") for root in roots}, log))
        notify_systemd("READY=1")
        pause = min(repository.poll_seconds for repository in watched)
        while not over.is_set():
            for repository in watched:
                repository.tick(may_start=sum(other.works for other in watched) < at_once)
            notify_systemd("WATCHDOG=1")
            over.wait(pause)
        notify_systemd("STOPPING=1")
