"""`whet init`: write a whet.toml for this repository."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json


def init(
    as_json: Json = False,
    print_: Annotated[bool, typer.Option("--print", help="Print every key with its default instead.")] = False,
) -> int:
    """Write a short whet.toml for this repository.

    A whet.toml that exists is never overwritten.
    """
    from whet.app.setup import every_key
    from whet.app.setup import init as write
    from whet.cli.output import emit, say
    from whet.git.git import open_repository

    if print_:
        say(every_key().rstrip())
        return 0
    path, detected = write(open_repository(Path.cwd()))
    if as_json:
        emit({"path": str(path), "detected": detected})
        return 0
    say(
        f"wrote {path}",
        f"tests: {detected.runner} {' '.join(detected.folders)}".rstrip(),
        f"python: {detected.version}",
    )
    say(
        *(f"note: {note}" for note in detected.notes),
        "next: commit whet.toml (it is the policy that everybody's proofs go by), then whet doctor and whet scan",
    )
    return 0
