"""Options and helpers that commands share."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from whet.app.project import Project
    from whet.app.repository import Repository
    from whet.app.views.proposal_view import ProposalView

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ProposalId = Annotated[
    str, typer.Argument(metavar="PROPOSAL", help="A proposal, by the beginning of its id; a deployment's id works too.")
]
Why = Annotated[str, typer.Option("--why", help="The reason, for the record.")]

Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The private key to sign with; default ~/.ssh/whet_approval."),
]
StatementFile = Annotated[
    Path | None,
    typer.Option("--statement", metavar="FILE", help="Write the statement to FILE (- prints it), sign later."),
]
Signature = Annotated[
    Path | None, typer.Option("--signature", metavar="FILE", help="Take the signature in FILE over the statement.")
]
As = Annotated[str, typer.Option("--as", metavar="NAME", help="The person who signs, as whet.signers names them.")]


def open_project_here(*, as_json: bool) -> "Project":
    """Open the project around the current folder, with progress on the terminal; with JSON, only with warnings."""
    from whet.app.project import open_project
    from whet.cli.progress import OnlyWarnings, Terminal

    return open_project(progress=OnlyWarnings() if as_json else Terminal())


def repository_of(project: "Project") -> "Repository":
    from whet.app.repository import Repository

    return Repository(project, via="cli")


def end_progress(project: "Project") -> None:
    from whet.cli.progress import Terminal

    if isinstance(project.progress, Terminal):
        project.progress.done()


def note_uncommitted(project: "Project") -> None:
    """Mention edits in the checkout that are not looked at, because whet works on commits."""
    from whet.cli.output import note
    from whet.domain.plural import shorten

    edited = project.uncommitted()
    if edited:
        note(f"uncommitted edits are left out: {shorten(edited, 3)}")


def find_proposal(identity: str) -> "tuple[Project, ProposalView]":
    from whet.app.views.proposal_view import resolve, view_proposal

    project = open_project_here(as_json=True)
    return project, view_proposal(project.ledger, resolve(project.ledger, identity))


def from_here(project: "Project", path: str) -> str:
    """Return a path, typed relative to the current folder, as the repository names it."""
    absolute = Path(os.path.normpath(Path.cwd() / path))
    return absolute.relative_to(project.git.root).as_posix() if absolute.is_relative_to(project.git.root) else path


def file_of(project: "Project", name: str) -> str:
    """Return the file of a tool by its name, or a typed path."""
    from whet.app.deployments.versions import path_of_tool

    path = path_of_tool(project, name)
    return path if path != name else from_here(project, name)


def say_next_step(path: Path, *, first: bool, as_json: bool) -> int:
    """Say that a file of the approvers was written, and what makes the change count; `first` means that nobody was enrolled."""
    from whet.cli.output import emit, say

    next_ = "commit it to the target branch" if first else "whet approvers sign, then commit it to the target branch"
    emit({"path": str(path), "signatures_needed": not first}) if as_json else say(f"wrote {path}", f"next: {next_}")
    return 0
