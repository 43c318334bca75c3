"""`evaluate`: score the texts of the last commit by a declared evaluation."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.findings.evaluate import EvaluateResult


def evaluate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A table [evaluations.declared.NAME] of whet.toml.")],
    answers_to: Annotated[
        Path | None, typer.Option("--answers-to", metavar="FILE", help="Write the model's answers to FILE.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Score prompts and workflows by a declared evaluation.

    Questions to a model are asked once: their answers are on record, and later runs use them again. A file of answers that
    is committed lets others repeat the evaluation without the model.
    """
    from whet.cli.ask import write_text
    from whet.cli.output import emit, say

    project = open_project_here(as_json=as_json)
    result = repository_of(project).evaluate(name)
    end_progress(project)
    if answers_to:
        write_text(answers_to, result.answers)
    emit(result) if as_json else say(*_lines(result, answers_to))
    return 1 if result.scores.unscored else 0


def _lines(result: "EvaluateResult", answers_to: Path | None) -> list[str]:
    from whet.domain.plural import count

    scores = result.scores
    lines = [f"    {score:g}  {case}" for case, score in sorted(scores.by_case.items(), key=lambda item: item[1])]
    lines += [f"    -  {case}: {why}" for case, why in scores.unscored.items()]
    mean = f"mean {sum(scores.by_case.values()) / len(scores.by_case):g} in " if scores.by_case else ""
    rests = f", with {count(result.answered, 'answer')} of a model" if result.answered else ""
    saved = [f"wrote the answers to {answers_to}"] if answers_to else []
    return [f"{result.evaluation}: {mean}{count(len(scores.by_case), 'case')}{rests}", *lines, *saved]
