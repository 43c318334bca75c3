"""`init`, `doctor`, `demo`, `version`."""

from collections import Counter
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
    from whet.git.git import open_repository

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
    probe: Annotated[
        bool, typer.Option("--probe", help="Only try to get out of the sandbox, in every way that whet knows.")
    ] = False,
) -> int:
    """Say what works here and what is missing, and try that the proof can pass and can fail."""
    from whet.app.doctor import examine
    from whet.cli.output import emit, say

    if probe:
        return _probe(as_json=as_json)
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


def _probe(*, as_json: bool) -> int:
    """Exit 0 if every probe that works outside was held inside, else 4."""
    from whet.app.doctor import probe
    from whet.cli.output import emit, say

    found = probe(None if as_json else lambda tried: say(f"{tried.outcome.value:<9}  {tried.id} ({tried.detail})"))
    got_out = [tried for tried in found if tried.outcome == "got out"]
    if as_json:
        emit({"ok": not got_out, "probes": found})
        return 4 if got_out else 0
    for family in dict.fromkeys(tried.family for tried in found):
        counts = Counter(tried.outcome.value for tried in found if tried.family == family)
        words = ", ".join(f"{counts[name]} {name}" for name in ("held", "not tried", "got out"))
        say(f"{family + ':':<12} {words}")
    say("the sandbox does not hold: do not use whet here" if got_out else "the sandbox holds")
    return 4 if got_out else 0


def demo(
    keep: Annotated[Path | None, typer.Option("--keep", help="Make the repository here and keep it.")] = None,
    as_json: Json = False,
) -> int:
    """The whole loop on a buggy calculator: from a failing test to a deployed fix and its rollback."""
    from whet.demo.calculator_demo import run_demo

    return run_demo(keep, as_json=as_json)


def version(as_json: Json = False) -> int:
    """Print the version."""
    from whet import __version__
    from whet.cli.output import emit, say

    emit({"version": __version__}) if as_json else say(__version__)
    return 0
