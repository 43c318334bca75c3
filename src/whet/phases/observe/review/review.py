"""Signals from a language model that reads whole files. What it says counts for something only if a test shows it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from whet.cases.from_review import RUNNERS, StatedTest
from whet.cases.from_suggestion import folder_of_tests
from whet.config import ModelPolicy
from whet.conversation.roles import model_in_role
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.file_review import FileReview, ReviewedDefect
from whet.domain.plural import count, shorten
from whet.domain.signal import Signal
from whet.errors import BudgetSpent, ModelUnavailable
from whet.guard.answer import Refuse
from whet.guard.judge import explain
from whet.kit import Kit
from whet.ledger.entry import Entry
from whet.models.metered import tokens_of
from whet.models.providers import key_of
from whet.phases.observe.git import GitHistory
from whet.phases.observe.review.ranking import ranked
from whet.phases.observe.review.reading import RULES, defects, question, readable
from whet.phases.observe.review.writing import DefectTester, judged

SUBJECT = "review"
MOST_TESTED = 3
_MOST_FILES = 2000
_LARGEST_FILE = 300_000


class FileReviews:
    """The signal source `review`: asks the model with the role `analyst` about files that it has not read.

    A version of a file is read once. A defect whose test passes at this commit gives no signal.
    """

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.models
        self._skipped: list[str] = []

    @property
    def skipped(self) -> tuple[str, ...]:
        return tuple(self._skipped)

    def observe(self, commit: str) -> tuple[Signal, ...]:
        self._skipped = []
        analyst = self._policy.analyst
        if analyst is None:
            self._skip("nothing is read: no model has the role `analyst` in whet.toml")
            return ()
        tree = self._git.tree_of(commit)
        sources, blobs = self._files(tree)
        reviews = self._recorded(blobs, analyst)
        self._read(commit, tree, sources, blobs, reviews, analyst)
        return tuple(self._signals(reviews, tree))

    def _files(self, tree: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the text and the blob of each Python file that is no test and that a change may touch."""
        entries = [
            entry
            for entry in self._git.entries(tree)
            if entry.path.endswith(".py")
            and entry.path.isprintable()
            and not isinstance(explain(entry.path, self._kit.policy), Refuse)
        ]
        if len(entries) > _MOST_FILES:
            self._skip(f"{len(entries) - _MOST_FILES} files are left out: at most {_MOST_FILES} are ranked")
        blobs = {entry.path: entry.blob for entry in entries[:_MOST_FILES]}
        sources = {}
        for path, content in self._git.read_all(tree, blobs).items():
            with suppress(UnicodeDecodeError):
                if len(content) <= _LARGEST_FILE:
                    sources[path] = content.decode()
        return sources, blobs

    def _recorded(self, blobs: Mapping[str, str], analyst: ModelPolicy) -> dict[str, Entry]:
        """Return the reviews of the present versions of files that are on record, by path."""
        found = ((path, self._kit.ledger.find(_key(path, blob, analyst))) for path, blob in blobs.items())
        return {path: entry for path, entry in found if entry}

    def _read(
        self,
        commit: str,
        tree: str,
        sources: Mapping[str, str],
        blobs: Mapping[str, str],
        reviews: dict[str, Entry],
        analyst: ModelPolicy,
    ) -> None:
        """Read new files in their order, within the limits of a look, and add their reviews."""
        unread = [path for path in self._ranked(commit, tree, sources) if path not in reviews]
        deadline = time.monotonic() + self._policy.seconds
        model = model_in_role("analyst", analyst, self._kit, phase="observe", subject=SUBJECT, deadline=deadline)
        folder = folder_of_tests([entry.path for entry in self._git.entries(tree)], self._kit.is_test)
        author = DefectTester(model, self._kit, tree, sources, folder)
        left, read = list(unread), 0
        try:
            for path in unread:
                if read == self._policy.review_files or time.monotonic() >= deadline:
                    break
                if self._is_too_long(path, sources[path]):
                    left.remove(path)
                    continue
                key_of(analyst)
                self._kit.progress.note(f"{analyst.name} reads {path}")
                review = self._review(path, blobs[path], author)
                reviews[path] = self._kit.ledger.append(
                    "observe", review, subject=SUBJECT, key=_key(path, blobs[path], analyst)
                )
                left.remove(path)
                read += 1
        except (ModelUnavailable, BudgetSpent) as problem:
            self._kit.progress.warn(f"{problem.code}: {problem.message}; {problem.remedy}")
            self._skip(problem.message)
        if left:
            limits = f"at most {self._policy.review_files} a look, and {self._policy.seconds} s (models.review_files, seconds)"
            self._skip(f"{count(len(left), 'file')} not read yet: {shorten(left, 3)}; {limits}")

    def _ranked(self, commit: str, tree: str, sources: Mapping[str, str]) -> list[str]:
        report = self._kit.suite.run(tree, fresh=False) if self._kit.policy.tests.runner in RUNNERS else None
        return ranked(sources, GitHistory(self._kit).commits(commit), report)

    def _is_too_long(self, path: str, source: str) -> bool:
        tokens = tokens_of(RULES) + question(path, source).tokens
        if tokens > self._policy.context_tokens:
            self._skip(f"{path} is not read: it takes about {tokens:,} tokens, more than models.context_tokens")
        return tokens > self._policy.context_tokens

    def _review(self, path: str, blob: str, author: DefectTester) -> FileReview:
        """Ask about one file, and for tests of the defects that a test can show."""
        source, model = author.sources[path], author.analyst.model.policy.name
        answer = author.analyst.answer(question(path, source), 0.0, 0, 0, readable)
        named, unusable = defects(answer.edits, path, source, model)
        if answer.format_failure:
            self._skip(f"{path}: {model} gave no usable answer: {answer.format_failure}")
        tested = []
        for number, defect in enumerate(named):
            why_not = self._why_untested(defect, number)
            tested.append(replace(defect, why_not=why_not) if why_not else author.with_test(defect))
        return FileReview(path=path, blob=blob, model=model, defects=tuple(tested), unusable=unusable)

    def _why_untested(self, defect: ReviewedDefect, number: int) -> str:
        if defect.category is not Category.BUG_FIX:
            return f"no test is asked for: it is about {defect.category.value}"
        if self._kit.policy.tests.runner not in RUNNERS:
            return "no test is asked for: the test runner does not run single tests"
        return f"no test is asked for: {MOST_TESTED} defects of a file are tested" if number >= MOST_TESTED else ""

    def _signals(self, reviews: Mapping[str, Entry], tree: str) -> Iterator[Signal]:
        """Yield a signal for each defect, with how its test fails in this tree. One whose test passes is mended."""
        for entry in reviews.values():
            review = entry.read(FileReview)
            if review.unusable:
                self._skip(f"{review.path}: {count(review.unusable, 'remark')} named no place of the file")
            for defect in review.defects:
                present = self._at_present(defect, tree) if defect.replay else defect
                if present:
                    yield Signal.of("review", f"{defect.path}::{defect.function}", present, entry.at)

    def _at_present(self, defect: ReviewedDefect, tree: str) -> ReviewedDefect | None:
        assert defect.replay is not None  # noqa: S101 - the caller asked
        stated = StatedTest(defect.replay, defect.exception, defect.message)
        with_test = self._git.with_files(tree, {defect.replay.path: defect.replay.text.encode()})
        report = self._kit.suite.run(with_test, defect.replay.red)
        why, failure = judged(stated, defect, report)
        if not why and failure:
            return replace(defect, failures={defect.replay.red[0]: failure})
        if report.complete and defect.replay.red[0] in report.passed:
            return None
        return replace(defect, replay=None, why_not=f"its test no longer shows it: {why}")

    def _skip(self, sentence: str) -> None:
        self._skipped.append(sentence)


def _key(path: str, blob: str, analyst: ModelPolicy) -> str:
    return f"review/{digest([path, blob, analyst.name, analyst.base_url, RULES])}"
