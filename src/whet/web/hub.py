"""Several repositories on one server: a page that lists them, and each of them below `/r/NAME`."""

import contextlib
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, Response

from whet import __version__
from whet.app.repository import Repository
from whet.domain.clock import now
from whet.domain.sanitize import one_line
from whet.errors import NotSignedIn, WhetError
from whet.web import sign_in
from whet.web.answers import answer
from whet.web.pages import static_files
from whet.web.pages.queue_page import queue_page
from whet.web.pages.routes import open_router
from whet.web.pages.strip import strip_of
from whet.web.pages.template import render
from whet.web.problems import add_problem_handlers
from whet.web.security.callers import caller_of
from whet.web.security.perimeter import Perimeter
from whet.web.security.sessions import Sessions
from whet.web.server import create_app
from whet.web.settings import WebSettings
from whet.web.site import Site

router = APIRouter(include_in_schema=False)
_NOT_IN_A_PATH = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, kw_only=True)
class RepositoryRow:
    """A repository on the list: what waits, what is worked on, and why it cannot be read, if so."""

    name: str
    url: str
    path: str
    waiting: int = 0
    working: int = 0
    stopped: str = ""
    phase: str = ""
    last_looked_at: datetime | None = None
    problem: str = ""


def create_server_app(repositories: Sequence[Repository], *, settings: WebSettings) -> FastAPI:
    """Return the web application of these repositories: at the root if it is one, else each below `/r/NAME`."""
    if len(repositories) == 1:
        return create_app(repositories[0], settings=settings)
    hub = FastAPI(
        title="whet",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        middleware=[Middleware(Perimeter, settings=settings)],
        lifespan=_run_all,
    )
    sessions = Sessions(settings.session_hours)
    hub.state.apps = {
        name: create_app(repository, settings=settings, sessions=sessions, root=f"/r/{name}")
        for name, repository in _named(repositories)
    }
    sites = sites_of(hub)
    hub.state.site = sites[0]  # sign-in reads only the sessions and settings, which all sites share
    add_problem_handlers(hub)
    for part in (sign_in.router, open_router, router):
        hub.include_router(part)
    for site in sites:
        hub.mount(site.root, hub.state.apps[site.name])
    return hub


def sites_of(app: FastAPI) -> list[Site]:
    """Return the sites of a server's application, in the order in which their repositories were given."""
    apps = getattr(app.state, "apps", None)
    return [inner.state.site for inner in apps.values()] if apps else [app.state.site]


def _named(repositories: Iterable[Repository]) -> list[tuple[str, Repository]]:
    """Return each repository with the name of its folder, and a number after a name that came before."""
    named: dict[str, Repository] = {}
    for repository in repositories:
        folder = _NOT_IN_A_PATH.sub("-", repository.project.git.root.name).strip(".-") or "repository"
        names = (folder, *(f"{folder}-{number}" for number in range(2, len(named) + 3)))
        named[next(name for name in names if name not in named)] = repository
    return list(named.items())


@contextlib.asynccontextmanager
async def _run_all(hub: FastAPI) -> AsyncIterator[None]:
    """Run the parts of every mounted application: a mounted one is not told when the server starts."""
    async with contextlib.AsyncExitStack() as stack:
        for app in hub.state.apps.values():
            await stack.enter_async_context(app.router.lifespan_context(app))
        yield


@router.get("/")
def repositories_page(request: Request) -> Response:
    """Show the repositories that the caller may read."""
    html = render(
        "repositories.html",
        root="",
        tab="Repositories",
        standalone=False,
        strip=None,
        static=static_files.address,
        integrity=static_files.integrity,
        rows=[row_of(site) for site in _readable(request)],
        now=now(),
    )
    return HTMLResponse(html)


@router.get("/api/v1/repositories")
def list_repositories(request: Request) -> Response:
    """List the repositories that the caller may read, with the addresses of their pages; REST is at `URL/api/v1`."""
    return answer({"repositories": [row_of(site) for site in _readable(request)]})


def _readable(request: Request) -> list[Site]:
    """Return the sites whose records the caller may read: all for a session, those that know it for a token."""
    readable: list[Site] = []
    refusal: NotSignedIn | None = None
    for site in sites_of(request.app):
        try:
            caller_of(request, site)
            readable.append(site)
        except NotSignedIn as problem:
            refusal = problem
    if refusal and not readable:
        raise refusal
    return readable


def row_of(site: Site) -> RepositoryRow:
    """Return a repository for the list. A problem of one repository leaves the others readable."""
    row = RepositoryRow(name=site.name, url=site.url, path=str(site.opened.project.git.root))
    try:
        project = site.project
        queue, strip = queue_page(project), strip_of(project)
    except (WhetError, OSError) as problem:
        message = problem.message if isinstance(problem, WhetError) else str(problem.strerror)
        return RepositoryRow(name=row.name, url=row.url, path=row.path, problem=one_line(message))
    return RepositoryRow(
        name=row.name,
        url=row.url,
        path=row.path,
        waiting=len(queue.waiting),
        working=len(queue.working) + len(queue.trials),
        stopped=strip.stopped,
        phase=strip.phase,
        last_looked_at=strip.last_looked_at,
    )
