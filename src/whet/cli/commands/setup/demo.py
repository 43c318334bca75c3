"""`whet demo`: the whole loop on a small buggy repository."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json


def demo(
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Create the repository in this folder and keep it.")
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Then serve the pages of the next proposal, until Ctrl-C.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Run the whole loop on a small buggy calculator."""
    from whet.demo.calculator_demo import run_demo

    return run_demo(keep, as_json=as_json, web=web)
