"""`init`, `doctor`, `demo`, `version`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    pass


def init(
    as_json: Json = False,
    print_: Annotated[bool, typer.Option("--print", help="Print every key with its default instead.")] = False,
) -> int:
    """Write a short whet.toml for this repository; never overwrites one."""
    from whet.app.setup import every_key
    from whet.app.setup import init as write
    from whet.cli.output import emit, say
    from whet.sandbox.git import open_repository

    if print_:
        say(every_key().rstrip())
        return 0
    path, found = write(open_repository(Path.cwd()))
    if as_json:
        emit({"path": str(path), "detected": found})
        return 0
    say(f"wrote {path}", f"tests: {found.runner} {' '.join(found.folders)}".rstrip(), f"python: {found.version}")
    say(*(f"note: {note}" for note in found.notes), "next: whet doctor, then whet scan")
    return 0


def doctor(
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave the self-checks out.")] = False,
) -> int:
    """Say what works here and what is missing, and try that the proof can pass and can fail."""
    from whet.app.doctor import examine
    from whet.cli.output import emit, say

    found = []
    for result in examine(Path.cwd(), self_checks=not quick):
        found.append(result)
        if not as_json:
            say(f"{'ok     ' if result.ok else 'missing'}  {result.name}: {result.found}")
            if result.remedy:
                say(f"         {result.remedy}")
    if as_json:
        emit(found)
    return 0 if all(result.ok for result in found) else 4


def demo(
    keep: Annotated[Path | None, typer.Option("--keep", help="Make the repository here and keep it.")] = None,
    as_json: Json = False,
) -> int:
    """The whole loop on a buggy calculator: from a failing test to a deployed fix and its rollback."""
    from whet.cli.demo import run_demo

    return run_demo(keep, as_json=as_json)


def version(as_json: Json = False) -> int:
    """Print the version."""
    from whet import __version__
    from whet.cli.output import emit, say

    emit({"version": __version__}) if as_json else say(__version__)
    return 0
