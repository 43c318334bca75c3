"""Run a declared evaluation on a tree, and read the scores of its cases."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from whet.config import EvaluationPolicy
from whet.domain.canonical import digest
from whet.errors import EnvironmentProblem
from whet.guard.paths.patterns import patterns
from whet.kit import Kit
from whet.knowledge.measures.questions import (
    MOST,
    Answers,
    CaseQuestion,
    ask_model,
    question_in,
    read_answers,
    written_answers,
)
from whet.target.command_files import CommandFiles

_MOST_CASES = 10_000
_LONGEST_NAME = 200
_LARGEST_SCORE = 1e9
_ANSWERS_AT = ".whet-answers.json"
_REMEDY = 'print {"case": NAME, "score": NUMBER} as one line for each case; see [evaluations]'


@dataclass(frozen=True)
class Scores:
    """The scores of one run by case, and the cases that could not be scored, each with the reason that the command gave."""

    by_case: Mapping[str, float]
    unscored: Mapping[str, str] = field(default_factory=dict)

    @property
    def why_not_complete(self) -> str:
        """Return why the run says too little; empty if every case has a score."""
        if not self.unscored:
            return ""
        case, why = next(iter(self.unscored.items()))
        return f"{len(self.unscored)} of {len(self.by_case) + len(self.unscored)} cases have no score, such as {case}: {why}"


class Evaluation:
    """A declared evaluation. The command's own files are taken from the base, so that a patch cannot change the measure."""

    def __init__(self, name: str, policy: EvaluationPolicy, kit: Kit) -> None:
        self.name, self._policy, self._kit = name, policy, kit
        self._own = CommandFiles(f"the evaluation {name}", policy.command, policy.files, kit.git)
        self.answers: dict[CaseQuestion, str] = {}
        """The answers that the runs so far have used."""

    def judges(self, path: str) -> bool:
        """True if the evaluation scores this text. Its own files are the measure; Python files are code, which tests judge."""
        if path.endswith(".py") or self._own.hold(path):
            return False
        if path == self._policy.answers:
            return False
        return patterns(self._policy.scores).names(path) is not None

    def scores(self, tree: str, base: str) -> Scores:
        """Run the command in the sandbox until no question of it is without an answer, and return the scores of the last run.

        Raise EnvironmentProblem if it fails or prints no scores, and Stopped if no question may be asked now.
        """
        held = self._own.from_base(tree, base)
        answers = read_answers(
            self.name, self._kit.git.read(base, self._policy.answers) if self._policy.answers else None
        )
        refused: dict[CaseQuestion, str] = {}
        while True:
            output = self._run(held, answers)
            new = [question for question in questions_in(output) if question not in answers and question not in refused]
            if not new:
                break
            for number, (question, answer, why_not) in enumerate(ask_model(self.name, new, self._kit), 1):
                self._kit.progress.advance(f"questions of {self.name}", number, len(new))
                if why_not:
                    refused[question] = why_not
                else:
                    answers[question] = answer
            if len(answers) + len(refused) > MOST or not answers.keys() & set(new):
                break
        self.answers |= answers
        return read_scores(self.name, output, refused)

    def _run(self, tree: str, answers: Answers) -> str:
        job = self._kit.suite.job(
            tree, self._policy.command, self._policy.timeout_seconds, {_ANSWERS_AT: written_answers(answers)}
        )
        finished = self._kit.sandbox.run(replace(job, env={**job.env, "WHET_ANSWERS": _ANSWERS_AT}))
        if finished.exit_code or finished.stopped_by:
            why = finished.problem or f"ended with {finished.exit_code}: {finished.output.strip()[-300:]}"
            raise EnvironmentProblem(f"the evaluation {self.name} {why}", "run its command by hand; see [evaluations]")
        return finished.output


def questions_in(output: str) -> list[CaseQuestion]:
    """Return the questions of the cases that have no score, each once and at most `MOST`."""
    asked = (question_in(entry) for entry in _entries(output.splitlines()) if entry["score"] is None)
    return list(dict.fromkeys(question for question in asked if question))[:MOST]


def read_scores(name: str, output: str, refused: Answers = MappingProxyType({})) -> Scores:
    """Return the scores among the lines of an output. `refused` says why a question has no answer. A case that occurs twice is refused: one of the lines may be planted."""
    scored: dict[str, float] = {}
    unscored: dict[str, str] = {}
    for entry in _entries(output.splitlines()):
        case, score = str(entry["case"])[:_LONGEST_NAME], entry["score"]
        if case in scored or case in unscored:
            raise EnvironmentProblem(
                f"the evaluation {name} printed the case {case!r} twice", "give each case its own name"
            )
        if score is None:
            question = question_in(entry)
            why = refused.get(question, "its question has no answer") if question else entry.get("why")
            unscored[case] = str(why or "the command does not say why")[:_LONGEST_NAME]
        elif isinstance(score, int | float) and not isinstance(score, bool) and abs(score) <= _LARGEST_SCORE:
            scored[case] = float(score)
        else:
            raise EnvironmentProblem(
                f"the evaluation {name} gave the case {case!r} the score {str(score)[:40]!r}", _REMEDY
            )
    if not scored and not unscored:
        raise EnvironmentProblem(f"the evaluation {name} printed no scores", _REMEDY)
    if len(scored) + len(unscored) > _MOST_CASES:
        raise EnvironmentProblem(
            f"the evaluation {name} has more than {_MOST_CASES:,} cases", "declare several evaluations"
        )
    return Scores(scored, unscored)


def _entries(lines: Iterable[str]) -> Iterable[dict[str, Any]]:
    for line in lines:
        if not line.lstrip().startswith("{"):
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and {"case", "score"} <= entry.keys():
            yield entry


def is_held_out(case: str) -> bool:
    """True if a search may not look at the case, so that a confirmation can: about every second one, by its name."""
    return int(digest(["held out", case])[:8], 16) % 2 == 1
