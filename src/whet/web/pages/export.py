"""A proposal as one HTML file that needs no server: style sheet inside, no scripts."""

from markupsafe import Markup

from whet.app.project import Project
from whet.web.pages import static_files
from whet.web.pages.proposal_page import HeldQuery, proposal_page
from whet.web.pages.template import render


def export_proposal(project: Project, identity: str) -> str:
    """Return the page of a proposal as one self-contained file."""
    page = proposal_page(project, identity, HeldQuery())
    stylesheet = Markup(static_files.content("whet.css").decode())  # noqa: S704 - whet's own file
    return render("proposal.html", page=page, standalone=True, stylesheet=stylesheet, root="", tab="")
