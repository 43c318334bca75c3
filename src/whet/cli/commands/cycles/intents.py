"""`intents`: suggestions of other systems, and their outcomes."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here, repository_of


def intents(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Take over the intents in FILE.")] = None,
    as_json: Json = False,
) -> int:
    """Take suggestions of other systems, or show their outcomes.

    Without FILE, list every suggestion with its outcome. With --json the list has the format that FILE has, so that another
    system can read what became of its wishes.
    """
    from whet.cli.output import emit, say
    from whet.domain.plural import count

    repository = repository_of(open_project_here(as_json=as_json))
    if file:
        added = repository.import_intents(file)
        emit({"suggestions": added}) if as_json else say(
            f"recorded {count(len(added), 'suggestion')}", *(item.id for item in added)
        )
        return 0
    known = repository.intents()
    if as_json:
        emit(known)
        return 0
    rows = [f"{each['outcome']['state']}  {each['from']}: {each['what']}" for each in known["intents"]]
    say(*(rows or ["no suggestions yet"]))
    return 0
