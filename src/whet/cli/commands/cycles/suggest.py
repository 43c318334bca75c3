"""`whet suggest`: record a suggestion for an improvement."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, from_here, open_project_here, repository_of


def suggest(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What should be better, and why.")],
    where: Annotated[str, typer.Option("--where", help="The file it is about.")] = "",
    case: Annotated[str, typer.Option("--case", help="An expression over that file's names that must be true.")] = "",
    raises: Annotated[str, typer.Option("--raises", help="The exception that the case must raise instead.")] = "",
    patch: Annotated[
        Path | None, typer.Option("--patch", help="A patch to try, as a diff; it is proved like any other.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Suggest an improvement, if possible with a case or a patch.

    With a case, repair can act on the suggestion, and the case ships as a test with the fix.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=True)
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
