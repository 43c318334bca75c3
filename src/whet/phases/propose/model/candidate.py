"""A tree that a model's edits lead to, and what the guard and the tests say about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from whet.config import Config
from whet.conversation.prompt import PromptTurn, Quotation, cut
from whet.domain.plural import count
from whet.domain.suite import SuiteReport
from whet.git.git import Git
from whet.guard.answer import Refuse
from whet.guard.judge import explain
from whet.phases.propose.model.apply import Applied, Misfit
from whet.phases.propose.model.prompt import shown_failure
from whet.phases.propose.model.target_runs import TargetRun
from whet.target.suite import Suite

_MOST_RED = 3
_MOST_LINES = 40
_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class AnswerOutcome:
    """The outcome of an answer: a tree that passes, or the feedback for the model. `why` is the reason in short."""

    tree: str = ""
    passed: bool = False
    feedback: PromptTurn | None = None
    why: str = ""


class TreeReader:
    """Reads the files of a tree that an edit may name."""

    def __init__(self, git: Git, tree: str) -> None:
        self._git, self._tree = git, tree
        self._modes = {entry.path: entry.mode for entry in git.entries(tree)}

    def __call__(self, path: str) -> str | None:
        """Return the text of a file; None if there is none. Raise ValueError if an edit cannot change it."""
        if self._modes.get(path) in (_LINK, _SUBMODULE):
            raise ValueError(f"{path} is a link or a submodule, and an edit may not change it")
        parts = path.split("/")
        for depth in range(1, len(parts)):
            if "/".join(parts[:depth]) in self._modes:
                raise ValueError(f"{path} leads through {'/'.join(parts[:depth])}, which is not a folder")
        if any(known.startswith(f"{path}/") for known in self._modes):
            raise ValueError(f"{path} is a folder")
        content = self._git.read_all(self._tree, [path]).get(path)
        if content is None:
            return None
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not a text in UTF-8") from None


def refused_paths(applied: Applied, policy: Config) -> list[str]:
    """Return the guard's refusals of the files that the edits change. The whole guard judges the patch later."""
    answers = [explain(path, policy) for path in applied.files]
    return [answer.reason for answer in answers if isinstance(answer, Refuse)]


@dataclass(frozen=True)
class CandidateTests:
    """The tests of a candidate: the targets, then the whole suite."""

    targets: tuple[str, ...]
    base_red: frozenset[str]
    run_targets: TargetRun
    suite: Suite

    def __call__(self, tree: str, files: Mapping[str, str]) -> AnswerOutcome:
        """Run the tests on a tree; `files` are the texts that the edits lead to."""
        report = self.run_targets(tree, files)
        if red := [target for target in self.targets if target not in report.passed]:
            return _red(tree, red, report, f"{count(len(red), 'target')} still red")
        whole = self.suite.run(tree)
        broken = sorted(whole.red - (self.base_red - set(self.targets)))
        if broken or not whole.complete:
            return _red(tree, broken, whole, f"{count(len(broken), 'test')} of the whole suite broken")
        return AnswerOutcome(tree, passed=True)


def _red(tree: str, tests: list[str], report: SuiteReport, why: str) -> AnswerOutcome:
    """Return the outcome of a candidate that leaves tests red, or whose run broke off; the feedback says how they fail."""
    failing = [test for test in tests if test in report.failures] or list(report.failures) or tests
    if not report.complete and not report.failures:
        words = "With your edits the test run broke off. Correct the edits; answer with edits to the original files.\n"
        problem = Quotation.of("The test run", cut(report.problem or "did not finish", _MOST_LINES))
        return AnswerOutcome(tree, feedback=PromptTurn(words, (problem,)), why=f"the test run {report.problem}")
    number = len(tests) or len(failing)
    words = f"With your edits {count(number, 'test')} {'does' if number == 1 else 'do'} not pass. Answer with all edits again, corrected, to the original files.\n"
    quotations = tuple(Quotation.of(f"Test {test}", _words(test, report)) for test in failing[:_MOST_RED])
    return AnswerOutcome(tree, feedback=PromptTurn(words, quotations), why=why)


def _words(test: str, report: SuiteReport) -> str:
    """Return how a test fails, or its outcome if it has no failure: it was skipped, or did not run."""
    failure = report.failures.get(test)
    return shown_failure(failure) if failure else str(report.outcomes.get(test, "did not run"))


def misfit_feedback(misfits: tuple[Misfit, ...], *, whole_files: bool) -> PromptTurn:
    """Return the feedback on edits that do not fit: each with its reason and the nearest lines of the file."""
    quotations = []
    for misfit in misfits[:_MOST_RED]:
        near = f"\nThe nearest lines of the file are:\n{misfit.nearest}" if misfit.nearest else ""
        searched = cut(misfit.edit.search or "", _MOST_LINES)
        quotations.append(Quotation.of(f"{misfit.edit.path}: {misfit.reason}", f"{searched}{near}"))
    hint = " You may give the file as a whole (WHOLE FILE: path) this time." if whole_files else ""
    return PromptTurn(
        f"No edit was applied, because some do not fit. Answer with all edits again, corrected.{hint}\n",
        tuple(quotations),
    )


def refusal_feedback(reasons: list[str]) -> PromptTurn:
    """Return the feedback on edits of files that must not change."""
    return PromptTurn(
        "No edit was applied, because some change files that must not change. Answer with all edits again, without these.\n",
        (Quotation.of("Refused", "\n".join(reasons)),),
    )
