"""`repair`: from named failing tests straight to a patch."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, from_here, note_uncommitted, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.cycles.repair import RepairResult
    from whet.app.project import Project


def repair(
    tests: Annotated[
        list[str], typer.Argument(metavar="TEST", help="Failing tests: ids, or files and folders of them.")
    ],
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=1, help="Seconds for the search; the first test run and the proof come on top."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every patch that passed, ranked, and those that do not convince.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the patch to this file.")] = None,
    as_json: Json = False,
) -> int:
    """Search for a patch for these failing tests, and prove it.

    Nothing is deployed. Ctrl-C ends the search.
    """
    from whet.cli.output import emit
    from whet.domain.verdict import Verdict

    project = open_project_here(as_json=as_json)
    if not as_json:
        note_uncommitted(project)
    result = repository_of(project).repair([_here(project, test) for test in tests], seconds=budget)
    end_progress(project)
    if out and result.patch:
        _write(out, project.git.diff(result.patch.base, result.patch.tree))
    if as_json:
        emit(result)
    else:
        _show(result, every=every)
    if result.patch is None or result.evidence is None:
        return 1
    return 0 if result.evidence.verdict is Verdict.PASSED else 7


def _write(path: Path, diff: bytes) -> None:
    from whet.errors import UsageError

    try:
        path.write_bytes(diff)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}") from problem


def _here(project: "Project", test: str) -> str:
    path, mark, rest = test.partition("::")
    return f"{from_here(project, path)}{mark}{rest}"


def _show(result: "RepairResult", *, every: bool) -> None:
    from whet.cli.output import say
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view

    say(f"{len(result.tests)} failing: {', '.join(result.tests[:3])}", result.note)
    for number, patch in enumerate((*result.ranked, *result.unconvincing) if every else (), start=1):
        say(f"{number}. {patch.summary}")
        screen.console().print(screen.diff(patch.diff))
    if result.unconvincing and not every:
        say("`--all` also shows the patches that passed and do not convince")
    if result.patch and result.evidence:
        say(f"{result.evidence.verdict.value}: {result.patch.summary}")
        if not every:
            screen.console().print(screen.diff(result.patch.diff))
        screen.console().print(evidence_view(result.evidence))
        return
    if result.evidence:
        refused = [patch.summary for patch in result.ranked if patch.digest == result.evidence.patch_digest]
        start = f"the proof refused the patch `{refused[0]}`" if refused else "none could be proven"
        say(f"{start}: {'; '.join(result.evidence.reasons)}")
    if result.suspects:
        say("the most suspicious lines:")
        say(*(f"  {place.path}:{place.line} in {place.function}: {place.why}" for place in result.suspects))
