"""`whet serve`: look at repositories by itself, and serve their pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from threading import Event

    from whet.app.service.watched_repository import Log
    from whet.app.service.work import Work

_PORT_HELP = "The port of the pages, REST and MCP; 0: serve none of them."


def serve(
    repository: Annotated[
        list[Path] | None,
        typer.Option("--repository", metavar="PATH", help="A repository, or a folder of them; may be repeated."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, then end: for cron.")] = False,
    at_once: Annotated[int, typer.Option("--at-once", min=1, help="Work on N repositories at a time.")] = 2,
    share: Annotated[
        bool, typer.Option("--share", help="Share the repositories with other services that have this option.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="The address of the pages.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help=_PORT_HELP)] = 8787,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A host name of this server, if other machines reach it.")
    ] = None,
    certificate: Annotated[str, typer.Option("--certificate", metavar="FILE", help="The TLS certificate.")] = "",
    private_key: Annotated[str, typer.Option("--private-key", metavar="FILE", help="The key of the certificate.")] = "",
    as_json: Json = False,
) -> int:
    """Look at repositories by itself, and serve their pages.

    Prints a link that signs one browser in, once. Programs sign in with tokens (`whet tokens create`); neither can approve.
    Several repositories have their pages below /r/NAME. The pages need the extra `web`. `whet run`, `approve` and `rollback` keep working meanwhile. Ctrl-C or
    SIGTERM ends it; nothing is lost.
    """
    from whet.app.service.serve import repositories_in

    roots = repositories_in(repository or [Path.cwd()])
    if once:
        return _once(roots, as_json=as_json)
    if not port:
        return _watch(roots, at_once, shared=share)
    names = (*(name or ()),)
    return _watch_with_pages(
        roots, at_once, host, port, names, certificate, private_key, browser=not no_open, shared=share
    )


def _watch(roots: list[Path], at_once: int, *, shared: bool) -> int:
    """Look at the repositories until a signal ends it."""
    import signal
    from threading import Event

    over = Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: over.set())
    _look(roots, over, at_once, shared=shared)
    return 0


def _watch_with_pages(
    roots: list[Path],
    at_once: int,
    host: str,
    port: int,
    names: tuple[str, ...],
    certificate: str,
    private_key: str,
    *,
    browser: bool,
    shared: bool,
) -> int:
    """Serve the pages of the repositories in this thread, and look at them in another, until a signal ends both."""
    import os
    import signal
    from threading import Event, Thread

    from whet.app.project import open_project
    from whet.app.repository import Repository
    from whet.cli.progress import OnlyWarnings
    from whet.errors import EnvironmentProblem

    try:
        from whet.web import hub, server
        from whet.web.settings import WebSettings, refuse_public
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem(
            f"the pages need a package that is not installed: {missing.name}",
            "pip install 'whet[web]'; or `whet serve --port 0` without pages",
        ) from missing
    settings = WebSettings(host=host, port=port, names=names, certificate=certificate, private_key=private_key)
    opened = [Repository(open_project(root, OnlyWarnings())) for root in roots]
    for repository in opened:
        refuse_public(settings, enrolled=len(repository.approvers().keys))
    app = hub.create_server_app(opened, settings=settings)
    pages = {site.opened.project.git.root: site.url for site in hub.sites_of(app)}
    listener = server.listen(host, port)
    over, failures = Event(), list[Exception]()

    def watch() -> None:
        try:
            _look(roots, over, at_once, pages, shared=shared)
        except Exception as problem:  # noqa: BLE001 - raised again in the main thread
            failures.append(problem)
            os.kill(os.getpid(), signal.SIGTERM)  # ends the server

    watching = Thread(target=watch, name="whet-watch")
    signal.signal(signal.SIGTERM, lambda *_: over.set())  # the server raises the signal again when it has ended

    def ready() -> None:
        link = server.entry_link(app)
        _log()(f"pages at {settings.url}; sign in once with {link}")
        if browser:
            typer.launch(link)

    watching.start()
    try:
        server.serve(app, listener, ready=ready)
    finally:
        over.set()
        watching.join()
    if failures:
        raise failures[0]
    return 0


def _look(
    roots: list[Path], over: "Event", at_once: int, pages: "Mapping[Path, str] | None" = None, *, shared: bool
) -> None:
    from whet.app.service.serve import serve as serve_all
    from whet.domain.plural import count

    log = _log()
    log(f"serving {count(len(roots), 'repository')}: {', '.join(map(str, roots))}")
    serve_all(roots, over, log, at_once, pages, shared=shared)
    log("ended; nothing is lost, and `whet serve` goes on from here")


def _log() -> "Log":
    """Return a function that prints a line with the time, at once."""
    import sys

    from whet.cli.output import say
    from whet.domain.clock import now

    def log(line: str) -> None:
        say(f"{now():%H:%M:%S} {line}")
        sys.stdout.flush()

    return log


def _once(roots: list[Path], *, as_json: bool) -> int:
    """Do what is due in each repository. With one repository, its error is the result; a busy one gives code 75."""
    import signal

    from whet.app.project import open_project
    from whet.app.service.child import BUSY
    from whet.app.service.watched_repository import lines_of
    from whet.app.service.work import work
    from whet.cli.output import emit, say
    from whet.cli.progress import OnlyWarnings, Terminal
    from whet.domain.canonical import to_plain
    from whet.errors import AlreadyRunning

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C: the engine is closed in order
    done: list[Work] = []
    for root in roots:
        try:
            done += work(open_project(root, OnlyWarnings() if as_json else Terminal()))
        except AlreadyRunning as problem:
            if len(roots) == 1:
                emit({"error": {"code": problem.code, "message": problem.message}}) if as_json else say(problem.message)
                return BUSY
            say(f"{root.name}: {problem.message}") if not as_json else None
    if as_json:
        emit(done)
    else:
        say(*(lines_of([to_plain(item) for item in done]) or ["nothing is due"]))
    return 0
