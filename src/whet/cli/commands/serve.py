"""`whet serve`: look at repositories by itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    from whet.app.service.work import Work

_PORT_HELP = "Serve the web page and the REST interface on this port of 127.0.0.1. 0: off."


def serve(
    repository: Annotated[
        list[Path] | None,
        typer.Option("--repository", metavar="PATH", help="A repository, or a folder of them; may be repeated."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, then end: for cron.")] = False,
    at_once: Annotated[int, typer.Option("--at-once", min=1, help="Work on N repositories at a time.")] = 2,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help=_PORT_HELP)] = 0,
    as_json: Json = False,
) -> int:
    """Look at repositories after pushes, after failures, on schedule.

    `whet run`, `approve` and `rollback` keep working meanwhile. Ctrl-C or SIGTERM ends it; nothing is lost.
    """
    from whet.app.service.serve import repositories_in

    roots = repositories_in(repository or [Path.cwd()])
    if once:
        return _once(roots, as_json=as_json)
    return _serve(roots, at_once, port)


def _serve(roots: list[Path], at_once: int, port: int) -> int:
    import signal
    from threading import Event

    from whet.app.service.serve import serve as serve_all
    from whet.cli.output import say
    from whet.domain.clock import now
    from whet.domain.plural import count
    from whet.errors import UsageError

    if port:
        # The one place for the web server: start `whet.web.server.create_app(...)` here, in a thread, before `serve_all`.
        raise UsageError("this whet has no web server yet", "leave --port out")

    def log(line: str) -> None:
        import sys

        say(f"{now():%H:%M:%S} {line}")
        sys.stdout.flush()

    over = Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: over.set())
    log(f"serving {count(len(roots), 'repository')}: {', '.join(map(str, roots))}")
    serve_all(roots, over, log, at_once)
    log("ended; nothing is lost, and `whet serve` goes on from here")
    return 0


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
