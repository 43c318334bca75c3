"""`codemod`: list where declared rewrites are not done yet."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of


def codemod(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A table [codemods.declared.NAME] of whet.toml.")] = "",
    as_json: Json = False,
) -> int:
    """List the packages that declared rewrites have not reached.

    Each package is a finding. `whet run --finding ID` proposes the rewrite there, and proves that the behaviour held.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=as_json)
    findings = repository_of(project).codemod(name)
    end_progress(project)
    if as_json:
        emit(findings)
    else:
        lines = [
            line
            for finding in findings
            for line in (f"{finding.id}  {finding.title}", f"    {', '.join(finding.paths)}")
        ]
        say(*lines, "next: whet run --finding ID" if findings else "nothing to rewrite")
    return 0
