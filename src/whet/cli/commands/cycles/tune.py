"""`tune`: search for better values of declared constants."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.findings.tune import TuneResult


def tune(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A table [tune.declared.NAME] of whet.toml.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Search and confirm, record nothing.")] = False,
    as_json: Json = False,
) -> int:
    """Search for better values of declared constants.

    The benchmark runs in the sandbox. The best values are confirmed once on inputs that the search has not seen; then
    `whet run --finding ID` proposes and proves them.
    """
    from whet.cli.output import emit, say

    project = open_project_here(as_json=as_json)
    result = repository_of(project).tune(name, dry_run=dry_run)
    end_progress(project)
    emit(result) if as_json else say(*_lines(result, dry_run=dry_run))
    return 1 if result.why_not else 0


def _lines(result: "TuneResult", *, dry_run: bool) -> list[str]:
    tuning = result.tuning
    runs = sum(tried.runs for tried in tuning.curve)
    lines = [f"{len(tuning.curve)} sets of values tried in {runs} runs; noise {tuning.noise:.1%}"]
    for tried in tuning.curve:
        values = ", ".join(f"{name} {value:g}" for name, value in zip(tuning.constants, tried.values, strict=True))
        lines.append(f"    {values}: {tried.ratio - 1:+.1%} in {tried.runs}")
    if result.why_not:
        return [*lines, f"nothing to propose: {result.why_not}"]
    lines += [f"{tuning.change} in {tuning.path}", f"confirmed on fresh inputs: {tuning.confirmed}"]
    return lines if dry_run else [*lines, f"next: whet run --finding {result.finding}"]
