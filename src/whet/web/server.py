"""The web application of one repository, and the server that runs it."""

import contextlib
import errno
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable

import uvicorn
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import Route

from whet import __version__
from whet.app.proofs.proof_queue import Proofs
from whet.app.repository import Repository
from whet.errors import EnvironmentProblem
from whet.web import agents, api, events, hooks, pages, sign_in, telemetry
from whet.web.agents import Agents
from whet.web.api.problems import describe_problems
from whet.web.feed import Feed
from whet.web.problems import add_problem_handlers
from whet.web.record_checks import RecordChecks
from whet.web.security.perimeter import Perimeter
from whet.web.security.rates import Rates
from whet.web.security.sessions import Sessions
from whet.web.settings import WebSettings
from whet.web.site import Site


def create_app(
    repository: Repository, *, settings: WebSettings, sessions: Sessions | None = None, root: str = ""
) -> FastAPI:
    """Return the web application of a repository. `sessions` are shared by the applications of one server.

    `app.state.site` is the `Site` that every handler reads. The perimeter is around the application, so one that is
    mounted below `root` has it too.
    """
    app = FastAPI(
        title="whet",
        version=__version__,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        middleware=[Middleware(Perimeter, settings=settings)],
        lifespan=_run_parts,
    )
    repository.project.ledger.head()  # open the store now: a request must not be the one that finds it unusable
    app.state.site = Site(
        name=root.rpartition("/")[2] or repository.project.git.root.name,
        root=root,
        opened=repository,
        settings=settings,
        sessions=sessions or Sessions(settings.session_hours),
        rates=Rates(settings.requests_per_minute),
        proofs=Proofs(repository.project.git.root),
        feed=Feed(repository.project.ledger, settings.poll_seconds),
        checks=RecordChecks(),
    )
    add_problem_handlers(app)
    for part in (sign_in.router, api.router, events.router, hooks.router, telemetry.router, pages.router):
        app.include_router(part)
    describe_problems(app)
    app.state.agents = Agents()
    app.state.telemetry = telemetry.Telemetry()
    app.router.routes.append(Route(agents.PATH, app.state.agents))
    return app


@contextlib.asynccontextmanager
async def _run_parts(app: FastAPI) -> AsyncIterator[None]:
    """Run what lives as long as the server: the MCP servers."""
    site: Site = app.state.site
    async with app.state.agents.running(site):
        yield


def entry_link(app: FastAPI) -> str:
    """Return a new link that signs one browser in, once."""
    site: Site = app.state.site
    return f"{site.settings.url}/enter?key={site.sessions.make_key()}"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. Refuse one that is in use or does not exist, in one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=256)
    except OSError as problem:
        reason = os.strerror(problem.errno) if problem.errno else str(problem)
        remedy = "another program uses it: choose another with --port, or --port 0 for no pages"
        if problem.errno != errno.EADDRINUSE:
            remedy = "choose another address with --host and --port"
        raise EnvironmentProblem(f"nothing can listen at {host}:{port}: {reason}", remedy) from None


def serve(app: FastAPI, listener: socket.socket, *, ready: Callable[[], None] = lambda: None) -> None:
    """Serve the application until SIGINT or SIGTERM. `ready` is called when the server answers."""
    settings: WebSettings = app.state.site.settings
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=5,
            limit_concurrency=1000,
            ssl_certfile=settings.certificate or None,
            ssl_keyfile=settings.private_key or None,
        )
    )
    threading.Thread(target=_announce, args=(server, ready), daemon=True).start()
    server.run(sockets=[listener])


def _announce(server: uvicorn.Server, ready: Callable[[], None]) -> None:
    while not server.started and not server.should_exit:
        time.sleep(0.01)
    if server.started:
        ready()
