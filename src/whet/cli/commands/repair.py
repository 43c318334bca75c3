"""`repair`: from named failing tests straight to a patch."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, from_here, note_uncommitted, opened, repository_of

if TYPE_CHECKING:
    from whet.app.project import Project
    from whet.app.repair import Repaired


def repair(
    tests: Annotated[list[str], typer.Argument(help="Failing tests: ids, or files and folders of them.")],
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=1, help="Seconds for the first test run and the search; the proof comes after."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every patch that passed, ranked; the doubtful ones too.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the patch to this file.")] = None,
    as_json: Json = False,
) -> int:
    """Search for a patch for these failing tests, and prove it.

    Nothing is deployed. Ctrl-C ends the search.
    """
    from whet.cli.output import emit
    from whet.domain.verdict import Verdict

    project = opened(as_json=as_json)
    if not as_json:
        note_uncommitted(project)
    found = repository_of(project).repair([_here(project, test) for test in tests], seconds=budget)
    end_progress(project)
    if out and found.patch:
        _write(out, found.patch.diff)
    if as_json:
        emit(found)
    else:
        _show(found, every=every)
    if found.patch is None or found.evidence is None:
        return 1
    return 0 if found.evidence.verdict is Verdict.PASSED else 7


def _write(path: Path, diff: str) -> None:
    from whet.errors import UsageError

    try:
        path.write_bytes(diff.encode(errors="surrogateescape"))
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}") from problem


def _here(project: "Project", test: str) -> str:
    path, mark, rest = test.partition("::")
    return f"{from_here(project, path)}{mark}{rest}"


def _show(found: "Repaired", *, every: bool) -> None:
    from whet.cli.output import say
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view

    say(f"{len(found.tests)} failing: {', '.join(found.tests[:3])}", found.note)
    for number, patch in enumerate((*found.ranked, *found.unconvincing) if every else (), start=1):
        say(f"{number}. {patch.summary}")
        screen.console().print(screen.diff(patch.diff))
    if found.unconvincing and not every:
        say("`--all` shows the patches that passed the search but are doubtful")
    if found.patch and found.evidence:
        say(f"{found.evidence.verdict.value}: {found.patch.summary}")
        if not every:
            screen.console().print(screen.diff(found.patch.diff))
        screen.console().print(evidence_view(found.evidence))
        return
    if found.evidence:
        say(f"none could be proven: {'; '.join(found.evidence.reasons)}")
    if found.suspects:
        say("the most suspicious lines:")
        say(*(f"  {place.path}:{place.line} in {place.function}: {place.why}" for place in found.suspects))
