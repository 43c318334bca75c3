"""`whet doctor`: what works here, and what is missing."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here


def doctor(
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave the self-checks out.")] = False,
    probe: Annotated[
        bool, typer.Option("--probe", help="Only try to get out of the sandbox, in every way that whet knows.")
    ] = False,
    parity: Annotated[
        Path | None,
        typer.Option("--parity", metavar="FILE", help="Compare the sandbox with your own run: pytest --junitxml=FILE."),
    ] = None,
) -> int:
    """Say what works here, what is missing and how to get it.

    Unless --quick is given, try on a sample repository that the proof can pass and can fail.
    """
    from whet.app.setup.doctor import examine
    from whet.cli.output import emit, say

    if probe:
        return _probe(as_json=as_json)
    if parity:
        return _parity(parity, as_json=as_json)
    results = []
    for result in examine(Path.cwd(), self_checks=not quick):
        results.append(result)
        if not as_json:
            say(f"{'ok     ' if result.ok else 'missing'}  {result.name}: {result.detail}")
            if result.remedy:
                say(f"         {result.remedy}")
    if as_json:
        emit(results)
    return 0 if all(result.ok for result in results) else 4


def _probe(*, as_json: bool) -> int:
    """Run all escape probes. Exit 0 if the sandbox held every probe that works on the host, else 4."""
    from whet.app.setup.doctor import probe
    from whet.cli.output import emit, say

    probes = probe(None if as_json else lambda result: say(f"{result.outcome.value:<9}  {result.id} ({result.detail})"))
    got_out = [result for result in probes if result.outcome == "got out"]
    if as_json:
        emit({"ok": not got_out, "probes": probes})
        return 4 if got_out else 0
    for family in dict.fromkeys(result.family for result in probes):
        counts = Counter(result.outcome.value for result in probes if result.family == family)
        words = ", ".join(f"{counts[name]} {name}" for name in ("held", "not tried", "got out"))
        say(f"{family + ':':<12} {words}")
    say("the sandbox does not hold: do not use whet here" if got_out else "the sandbox holds")
    return 4 if got_out else 0


def _parity(junit: Path, *, as_json: bool) -> int:
    """Print the tests that have another outcome in the sandbox. Exit 0 if there are none, else 4."""
    from whet.app.proofs.parity import compare_with
    from whet.cli.output import emit, say
    from whet.cli.views.parity import parity_lines

    project = open_project_here(as_json=as_json)
    result = compare_with(project, junit)
    end_progress(project)
    if as_json:
        emit(result)
        return 4 if result.differences else 0
    say(*parity_lines(result))
    return 4 if result.differences else 0
