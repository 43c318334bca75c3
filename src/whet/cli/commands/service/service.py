"""`service`: let systemd run `whet serve`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    from whet.app.service.unit import UnitState

EXAMPLES = {
    "install": "whet service install --repository ~/calculator",
    "status": "whet service status --json",
    "remove": "whet service remove",
}
group = typer.Typer(
    name="service",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Let systemd run `whet serve` for your user.",
    epilog=f"Example: {EXAMPLES['install']}",
)


def install(
    repository: Annotated[
        list[Path] | None,
        typer.Option("--repository", metavar="PATH", help="A repository, or a folder of them; may be repeated."),
    ] = None,
    show: Annotated[bool, typer.Option("--print", help="Print the unit and write nothing.")] = False,
    as_json: Json = False,
) -> int:
    """Write a systemd user unit for `whet serve`, and start it."""
    from whet.app.project import open_project
    from whet.app.service import unit
    from whet.app.service.serve import repositories_in
    from whet.cli.output import say

    roots = [open_project(root).git.root for root in repositories_in(repository or [Path.cwd()])]
    if show:
        say(unit.unit_text(roots).rstrip())
        return 0
    return _show(unit.install(roots), as_json=as_json)


def status(as_json: Json = False) -> int:
    """Say whether the unit is there, active, and survives a logout."""
    from whet.app.service import unit

    return _show(unit.state(), as_json=as_json)


def remove(as_json: Json = False) -> int:
    """Stop the service and delete its unit."""
    from whet.app.service import unit

    return _show(unit.remove(), as_json=as_json)


def _show(state: "UnitState", *, as_json: bool) -> int:
    from whet.cli.output import emit, say

    if as_json:
        emit(state)
    else:
        there = "installed" if state.installed else "not installed"
        say(f"{state.path}: {there}, {state.active}, {state.enabled}", *(f"note: {note}" for note in state.notes))
    return 0 if state.active == "active" or not state.installed else 4


for _command in (install, status, remove):
    group.command(epilog=f"Example: {EXAMPLES[_command.__name__]}")(_command)
