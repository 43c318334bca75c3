"""The state that the handlers of one repository share."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from whet.app.project import Project
from whet.app.proofs.proof_queue import Proofs
from whet.app.repository import Repository
from whet.ledger.ledger import Ledger
from whet.web.feed import Feed
from whet.web.record_checks import RecordChecks
from whet.web.security.rates import Rates
from whet.web.security.sessions import Sessions
from whet.web.settings import WebSettings


@dataclass(frozen=True, kw_only=True)
class Site:
    """One repository as the web server serves it. Safe to use from several threads: the store pools its connections.

    `root` is the path below which its pages are: empty if the server has one repository, else `/r/NAME`.
    """

    name: str
    root: str
    opened: Repository
    settings: WebSettings
    sessions: Sessions
    rates: Rates
    proofs: Proofs
    feed: Feed
    checks: RecordChecks

    @property
    def url(self) -> str:
        """The address of its pages for a browser."""
        return f"{self.settings.url}{self.root}"

    @property
    def ledger(self) -> Ledger:
        """The ledger, opened once. Every query uses a connection of its own."""
        return self.opened.project.ledger

    @property
    def project(self) -> Project:
        """The project with whet.toml as it is now, on the store that is open already."""
        return self.opened.project.reloaded()

    @property
    def repository(self) -> Repository:
        """The Python API on the project as it is now."""
        return Repository(self.project)


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    site: Site = request.app.state.site
    return site


CurrentSite = Annotated[Site, Depends(site_of)]
