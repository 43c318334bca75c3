"""Ask for answers until one passes the tests: the first at temperature 0, each with a few rounds of feedback."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from whet.config import Config
from whet.conversation.prompt import Prompt, PromptTurn
from whet.conversation.recorded_model import RecordedModel
from whet.domain.model_answer import ModelAnswer
from whet.domain.plural import count
from whet.git.git import Git
from whet.models.request import Finish
from whet.phases.propose.model.apply import Applied, apply_edits
from whet.phases.propose.model.candidate import (
    AnswerOutcome,
    TreeReader,
    misfit_feedback,
    refusal_feedback,
    refused_paths,
)
from whet.phases.propose.model.edits import parse_answer

_MISSES_BEFORE_WHOLE_FILES = 2
_AGAIN = "Answer with SEARCH/REPLACE blocks as the rules say: path, fenced block, nothing else is needed.\n"
Tester = Callable[[str, Mapping[str, str]], AnswerOutcome]
"""Say what the tests say about a tree; the mapping has the texts of the files that the edits change."""


@dataclass
class Samples:
    """The trees that the answers led to, and the course of it in words."""

    passed: list[str] = field(default_factory=list)
    tried: dict[str, AnswerOutcome] = field(default_factory=dict)
    answers: int = 0
    reasons: list[str] = field(default_factory=list)


class Sampler:
    """Asks one author about one prompt. `tree` is the tree to edit, `test` runs the tests on another."""

    def __init__(self, author: RecordedModel, policy: Config, git: Git, tree: str, test: Tester) -> None:
        self._author, self._policy, self._git, self._tree, self._test = author, policy, git, tree, test
        self._read = TreeReader(git, tree)

    def sample(self, prompt: Prompt, enough: Callable[[Samples], bool]) -> Samples:
        """Return the samples. BudgetSpent parks the workflow: when it goes on, the answers so far are on record."""
        samples = Samples()
        for number in range(self._policy.models.samples):
            self._one(prompt, number, samples)
            if enough(samples):
                break
        return samples

    def _one(self, prompt: Prompt, sample: int, samples: Samples) -> None:
        """Ask for one answer, and for corrections of it while they lead to a new tree."""
        temperature = 0.0 if sample == 0 else self._policy.models.temperature
        misses = 0
        for number in range(self._policy.models.rounds + 1):
            self._author.progress.note(f"asking {self._author.model.policy.name} for answer {samples.answers + 1}")
            whole_files = misses >= _MISSES_BEFORE_WHOLE_FILES
            answer = self._author.answer(prompt, temperature, sample, number, self._judge(whole_files=whole_files))
            samples.answers += 1
            outcome = self._outcome(answer, samples, whole_files=whole_files)
            misses += bool(answer.format_failure)
            if outcome.passed:
                return
            samples.reasons.append(outcome.why)
            if outcome.feedback is None:
                return
            prompt = prompt.answered(answer.edits, outcome.feedback)

    def _judge(self, *, whole_files: bool) -> Callable[[str], tuple[str, str]]:
        def judge(text: str) -> tuple[str, str]:
            parsed = parse_answer(text)
            applied = apply_edits(parsed.edits, self._read, whole_files=whole_files)
            failure = parsed.problem or next((misfit.reason for misfit in applied.misfits), "")
            return parsed.format, failure

        return judge

    def _outcome(self, answer: ModelAnswer, samples: Samples, *, whole_files: bool) -> AnswerOutcome:
        """Return what an answer leads to; without feedback if asking again would not help."""
        if answer.finish == Finish.REFUSED:
            return AnswerOutcome(why=f"{answer.model} refused to answer")
        parsed = parse_answer(answer.edits)
        applied = apply_edits(parsed.edits, self._read, whole_files=whole_files)
        if parsed.problem:
            why = f"the answer was {answer.finish}" if answer.finish == Finish.CUT else parsed.problem
            return AnswerOutcome(feedback=PromptTurn(f"The answer could not be read: {why}. {_AGAIN}"), why=why)
        if applied.misfits:
            soon = whole_files or len(applied.misfits) > 1
            return AnswerOutcome(
                feedback=misfit_feedback(applied.misfits, whole_files=soon), why=applied.misfits[0].reason
            )
        if reasons := refused_paths(applied, self._policy):
            return AnswerOutcome(feedback=refusal_feedback(reasons), why=reasons[0])
        return self._tested(applied, samples)

    def _tested(self, applied: Applied, samples: Samples) -> AnswerOutcome:
        """Run the tests on the tree of the edits, once for each tree."""
        if not applied.files:
            return AnswerOutcome(why="the edits change nothing")
        files = {path: text.encode() for path, text in applied.files.items()}
        tree = self._git.with_files(self._tree, files)
        if tree in samples.tried:
            return AnswerOutcome(tree, passed=samples.tried[tree].passed, why="the same edits as before")
        outcome = self._test(tree, applied.files)
        samples.tried[tree] = outcome
        if outcome.passed:
            samples.passed.append(tree)
        return outcome


def summary(samples: Samples) -> str:
    """Return the course of the asking in words."""
    text = f"{count(samples.answers, 'answer')}, {count(len(samples.tried), 'patch')} tried"
    if samples.passed:
        text += f", {len(samples.passed)} passed the suite"
    elif samples.reasons:
        text += f"; the last: {samples.reasons[-1]}"
    return text
