"""`whet suggest`: record a suggestion for an improvement."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, from_here, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.project import Project


def suggest(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="What should be better, and why.")] = "",
    where: Annotated[str, typer.Option("--where", help="The file it is about.")] = "",
    case: Annotated[str, typer.Option("--case", help="An expression over that file's names that must be true.")] = "",
    raises: Annotated[str, typer.Option("--raises", help="The exception that the case must raise instead.")] = "",
    patch: Annotated[
        Path | None, typer.Option("--patch", help="A patch to try, as a diff; it is proved like any other.")
    ] = None,
    drop: Annotated[str, typer.Option("--drop", metavar="ID", help="Take this suggestion off the list.")] = "",
    why: Annotated[str, typer.Option("--why", help="The reason for --drop, for the record.")] = "",
    show_all: Annotated[bool, typer.Option("--list", help="List the suggestions and what became of them.")] = False,
    as_json: Json = False,
) -> int:
    """Suggest an improvement, if possible with a case or a patch.

    With a case, repair can act on the suggestion, and the case ships as a test with the fix.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=True)
    if drop or show_all:
        return _list(project, drop, why, as_json=as_json)
    suggestion = repository_of(project).suggest(
        text, where=from_here(project, where) if where else "", case=case, raises=raises, patch=_diff(patch)
    )
    if as_json:
        emit(suggestion)
    else:
        say(
            f"noted as {suggestion.id}; `whet scan` ranks it, `whet run` acts on it"
            + ("" if case else " where an engine can")
        )
    return 0


def _list(project: "Project", drop: str, why: str, *, as_json: bool) -> int:
    from whet.cli.output import emit, say
    from whet.domain.sanitize import one_line

    repository = repository_of(project)
    known = [repository.drop_suggestion(drop, why)] if drop else repository.suggestions()
    if as_json:
        emit(known)
        return 0
    for each in known:
        about = f" ({each.proposal})" if each.proposal else ""
        say(f"{each.id}  {each.state}{about}  {one_line(each.text)}")
    if not known:
        say("no suggestions yet")
    return 0


def _diff(patch: Path | None) -> str:
    from whet.errors import UsageError
    from whet.files import MB, read_file

    if patch is None:
        return ""
    try:
        return read_file(patch, MB).decode()
    except OSError as problem:
        raise UsageError(f"{patch} cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise UsageError(f"{patch} is not a text file") from problem
