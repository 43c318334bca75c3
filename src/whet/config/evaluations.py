"""`[evaluations]`: commands that score prompts, workflows and other texts, case by case."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.config.target import below_the_root, file_pattern


class EvaluationPolicy(Section):
    """`[evaluations.declared.NAME]`: a command that prints a score for each of its cases, as lines of JSON.

    `scores` are globs of the texts that it judges. `files` are paths, folders or globs besides the command's own script that are always
    taken from the base: the cases, helpers. `answers` is a file with recorded answers of a model, taken from the base too.
    """

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    scores: Annotated[tuple[Annotated[str, AfterValidator(file_pattern)], ...], Field(min_length=1)]
    timeout_seconds: Annotated[int, Field(ge=1, le=3600)] = 300
    files: tuple[Annotated[str, AfterValidator(file_pattern)], ...] = ()
    answers: Annotated[str, AfterValidator(below_the_root)] = ""


class EvaluationsPolicy(Section):
    """`[evaluations]`: the declared evaluations. Scores that differ by no more than `tolerance` count as equal."""

    declared: dict[str, EvaluationPolicy] = Field(default_factory=dict)
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    most_tries: Annotated[int, Field(ge=1, le=500)] = 40
