"""All safeguards over one patch whose tests are green. Each runs only the target tests."""

import ast
import contextlib
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, TypeVar

from whet.domain.patch import Patch
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Safeguard, Verdict
from whet.guard.content.added import added_lines, lines_of
from whet.kit import Kit
from whet.phases.validate.integrity import expected_data, oracle
from whet.phases.validate.integrity.answers import Said
from whet.phases.validate.integrity.class_protocols import same_manners
from whet.phases.validate.integrity.doctests import examples_as_code, is_doctest, lost
from whet.phases.validate.integrity.gutted import ended_by, gutted
from whet.phases.validate.integrity.hard_coded import as_written, hard_coded, numbers_of_tests
from whet.phases.validate.integrity.perturb import Variation, varied
from whet.phases.validate.integrity.planted import Canary, plant
from whet.phases.validate.integrity.reached import helpers, unreached
from whet.phases.validate.integrity.rephrase import rewritten
from whet.phases.validate.integrity.test_ids import Function, functions, split
from whet.phases.validate.side_by_side import side_by_side
from whet.target.ask import ask
from whet.target.suite import Overlay
from whet.target.tracer import TracedTest, trace

_MOST = 50
_COPIES = 12
_MOST_COPIES = 60
_COPIES_SECONDS = 5
_SAMPLE = 12
_SAMPLED_FILES = 3
_MOST_DATA = 20
_LARGEST_DATA = 200_000
_chance = random.SystemRandom()
_T = TypeVar("_T")

AGAIN, CHANGED, GUTTED = "the targets again", "changed expectations", "gutted functions"
REACHED = "assertions reached"
PLANTED, WRITTEN_DOWN, DOCTESTS = "planted tests", "answers written down", "doctests"


@dataclass(frozen=True)
class Subject:
    """A patch with its trees (`ground`: the base with the trusted tests, `graded`: the patch with the base's tests),
    the targets it turned green, and how the base did."""

    patch: Patch
    ground: str
    graded: str
    targets: tuple[str, ...]
    base: SuiteReport


@dataclass(frozen=True)
class Asking:
    """A safeguard that is prepared: what it runs, and what it makes of that and of what the tracer saw."""

    run: Callable[[], Any]
    judge: Callable[[Any, Sequence[TracedTest]], Safeguard]


@dataclass(frozen=True)
class Variant:
    """A test id that is run with one assertion changed, for this test."""

    id: str
    test: str
    what: Variation

    @property
    def words(self) -> str:
        return f"{self.test} (line {min(self.what.lines)})"


class Integrity:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._suite = kit, kit.git, kit.suite

    def safeguards(self, subject: Subject) -> list[Safeguard]:
        """The runs side by side; what is prepared and judged around them, one after the other."""
        prepared = [
            self._again(subject), self._changed_expectations(subject), self._gutted(subject), self._reached(subject),
            self._outside(subject), self._own_data(subject),
        ]  # fmt: skip
        traced = self._traced(subject)
        seen, *ran = side_by_side([traced, *(one.run for one in prepared)])
        judged = [one.judge(result, seen) for one, result in zip(prepared, ran, strict=True)]
        return [*judged, self._written_down(subject), self._doctests(subject)]

    def _again(self, subject: Subject) -> Asking:
        """One green may be luck, or known by its text: once more, written a little differently, with planted tests."""
        files = self._rewritten(subject.graded, subject.targets)
        canary = plant(beside=split(subject.targets[0])[0])
        over = {**files, canary.path: canary.text}

        def judge(report: SuiteReport, _: object) -> Safeguard:
            if not report.complete:
                return Safeguard(
                    AGAIN, Verdict.INCONCLUSIVE, f"written a little differently, the suite {report.problem}"
                )
            shaky = [test for test in subject.targets if report.outcomes.get(test) is not Outcome.PASSED]
            if shaky:
                words = f"{_named(shaky)} passed once, then not, written a little differently"
                return Safeguard(AGAIN, Verdict.INCONCLUSIVE, words)
            planted = judge_planted(canary, report, None)
            if planted.verdict is not Verdict.PASSED:
                return planted
            return Safeguard(
                AGAIN, Verdict.PASSED, "green, written a little differently, beside planted tests that failed"
            )

        return Asking(lambda: self._run(subject.graded, over, subject.targets, AGAIN, planted=(canary.path,)), judge)

    def _changed_expectations(self, subject: Subject) -> Asking:
        """Held tests are tried too, by chance: a patch that lies about the targets may lie about all."""
        targets = _some(subject.targets, _MOST)
        others = _by_file(sorted(subject.base.passed - set(subject.targets)), whole_ids=True)
        files = _some([path for path in others if path.endswith(".py")], _SAMPLED_FILES)
        sample = _some([test for path in files for test in others[path]], _SAMPLE)
        over, variants = self._varied(subject, targets, sample)
        if not variants:
            return _nothing(CHANGED, "the target tests have no expectation that can be changed")

        def judge(report: SuiteReport, seen: Sequence[TracedTest]) -> Safeguard:
            if not report.complete:
                return Safeguard(CHANGED, Verdict.INCONCLUSIVE, f"with changed expectations the suite {report.problem}")
            passing = [one for one in variants if report.outcomes.get(one.id) is Outcome.PASSED]
            ran = {traced.test: traced for traced in seen if traced.outcome == "passed"}
            if lying := [one for one in passing if one.test in targets and _was_met(one, ran.get(one.test))]:
                return Safeguard(CHANGED, Verdict.INCONCLUSIVE, f"{lying[0].words} passes whatever it expects")
            held = [one.id for one in passing if one.test not in targets]
            if held and (lies := self._only_with_the_patch(subject, over, held)):
                return Safeguard(CHANGED, Verdict.FAILED, f"with the patch {_named(lies)} passes whatever it expects")
            tests = {one.test for one in variants if report.outcomes.get(one.id, Outcome.PASSED).red}
            return Safeguard(
                CHANGED, Verdict.PASSED, f"{len(tests)} tests fail when one of their assertions expects something else"
            )

        ids = [one.id for one in variants]
        return Asking(lambda: self._run(subject.graded, over, ids, CHANGED), judge)

    def _only_with_the_patch(self, subject: Subject, files: Overlay, passing: Sequence[str]) -> list[str]:
        report = self._run(subject.ground, files, passing, CHANGED)
        return [test for test in passing if report.outcomes.get(test, Outcome.PASSED).red]

    def _gutted(self, subject: Subject) -> Asking:
        texts = {path: gutted(old, new) for path, (old, new) in self._code(subject.patch).items()}
        files = {path: text.encode() for path, text in texts.items() if text is not None}
        if not files:
            return _nothing(GUTTED, "the patch changes no function")
        targets = _some(subject.targets, _MOST)

        def judge(report: SuiteReport, _: object) -> Safeguard:
            passing = [test for test in targets if report.outcomes.get(test) is Outcome.PASSED]
            if passing:
                words = f"{_named(passing)} passes even when the changed functions do nothing, so they are not why"
                return Safeguard(GUTTED, Verdict.INCONCLUSIVE, words)
            if ended_by(report.problem, map(bytes.decode, files.values())):
                return Safeguard(GUTTED, Verdict.PASSED, "no test can be loaded when the changed functions do nothing")
            if unknown := [test for test in targets if not _is_red(test, report)]:
                words = f"with the changed functions doing nothing, {_named(unknown)} was not seen: the suite "
                return Safeguard(GUTTED, Verdict.INCONCLUSIVE, words + (report.problem or "did not run it"))
            return Safeguard(
                GUTTED, Verdict.PASSED, f"{len(targets)} targets fail when the changed functions do nothing"
            )

        return Asking(lambda: self._run(subject.graded, files, targets, GUTTED), judge)

    def _traced(self, subject: Subject) -> Callable[[], Sequence[TracedTest]]:
        targets = _some([test for test in subject.targets if not is_doctest(test)], _MOST)
        return lambda: trace(self._suite, subject.graded, targets) if targets else []

    def _own_data(self, subject: Subject) -> Asking:
        """The base is asked only where there is something to ask it about."""
        tests = {split(test)[0] for test in subject.base.outcomes}

        def judge(_: object, seen: Sequence[TracedTest]) -> Safeguard:
            paths = {opening.path for traced in seen for opening in traced.opened}
            tree = self._git.read_all(subject.graded, sorted(paths))
            found = expected_data.reached_for(seen, tests, tree)
            asked = [traced.test for traced in seen]
            before = trace(self._suite, subject.ground, asked) if found else []
            if said := expected_data.words(found, expected_data.reached_for(before, tests, tree)):
                return Safeguard(expected_data.NAME, Verdict.INCONCLUSIVE, said)
            if not any(opening.path in tree for traced in seen for opening in traced.opened):
                return Safeguard(expected_data.NAME, None, "the targets open no file of the project")
            return Safeguard(
                expected_data.NAME, Verdict.PASSED, "the code does not reach for what the targets compare with"
            )

        return Asking(lambda: None, judge)

    def _reached(self, subject: Subject) -> Asking:
        files = self._modules(subject.graded, [test for test in subject.targets if not is_doctest(test)])
        tests = {(path, name): node for path, tree in files.items() for name, node in functions(tree)}
        if not any(split(test) in tests for test in subject.targets):
            return _nothing(REACHED, "the target tests are not written as functions")

        def judge(_: object, seen: Sequence[TracedTest]) -> Safeguard:
            passed = [traced for traced in seen if traced.outcome == "passed" and split(traced.test) in tests]
            for traced in passed:
                path, name = split(traced.test)
                ran = traced.lines.get(path, frozenset())
                if what := unreached(tests[path, name], ran, helpers(files[path])):
                    return Safeguard(REACHED, Verdict.INCONCLUSIVE, f"{traced.test} passes and reaches {what}")
            if not passed:
                return Safeguard(REACHED, None, "which lines the targets run could not be seen")
            return Safeguard(REACHED, Verdict.PASSED, "the targets get to what they assert")

        return Asking(lambda: None, judge)

    def _outside(self, subject: Subject) -> Asking:
        held, ids = sorted(subject.base.passed), [*subject.base.outcomes]
        sources = self._sources(subject.graded, _packages(subject.targets))
        inquiry = oracle.inquire(subject.targets, held, ids, sources.get)
        if not inquiry.targets:
            return _nothing(oracle.NAME, oracle.NOTHING)
        over = {tree: self._tests_left_out(tree) for tree in (subject.ground, subject.graded)}

        def asked(tree: str, *, elsewhere: bool) -> Callable[[], Said]:
            return lambda: ask(self._suite, tree, over[tree], inquiry.request, elsewhere=elsewhere)

        def is_known(path: str, name: str) -> bool:
            texts = [self._git.read_all(tree, [path]).get(path, b"").decode(errors="replace") for tree in over]
            return same_manners(texts[0], texts[-1], name)

        runs = [
            asked(subject.ground, elsewhere=False),
            asked(subject.graded, elsewhere=False),
            asked(subject.graded, elsewhere=True),
        ]
        base_elsewhere = asked(subject.ground, elsewhere=True)

        def judge(said: Sequence[Said], _: object) -> Safeguard:
            base, patched, moved = said
            return oracle.judge(inquiry, oracle.Heard(base, patched, moved, base_elsewhere, is_known))

        return Asking(lambda: side_by_side(runs), judge)

    def _written_down(self, subject: Subject) -> Safeguard:
        wanted = self._functions(subject)
        for path, (old, new) in self._code(subject.patch).items():
            if found := hard_coded(added_lines(old, new), new, wanted, old):
                return Safeguard(WRITTEN_DOWN, Verdict.INCONCLUSIVE, f"{path}: {found}")
        for path, text in self._added_data(subject.patch).items():
            if found := numbers_of_tests(text, wanted):
                return Safeguard(WRITTEN_DOWN, Verdict.INCONCLUSIVE, f"{path}: {found}")
        return Safeguard(WRITTEN_DOWN, Verdict.PASSED, "no answer of the tests is written down in the patch")

    def _doctests(self, subject: Subject) -> Safeguard:
        ran = {split(test)[0] for test in subject.base.outcomes if is_doctest(test)}
        changed = {path: both for path, both in self._git.texts(subject.patch.changes).items() if path in ran}
        for path, (old, new) in changed.items():
            if example := lost(path, old, new):
                return Safeguard(DOCTESTS, Verdict.INCONCLUSIVE, f"{path} alters or drops the doctest `{example}`")
        if not changed:
            return Safeguard(DOCTESTS, None, "no doctest runs in what it changes")
        return Safeguard(DOCTESTS, Verdict.PASSED, "the doctests of what it changes are as they were")

    # ---- trees and runs ---------------------------------------------------------------------------------------

    def _run(self, tree: str, over: Overlay, ids: Sequence[str], name: str, planted: Sequence[str] = ()) -> SuiteReport:
        progress = self._kit.progress
        return self._suite.run(
            tree,
            tuple(ids),
            overlay=over,
            planted=planted,
            on_progress=lambda done, total: progress.advance(f"proof, {name}", done, total),
        )

    def _code(self, patch: Patch) -> dict[str, tuple[str, str]]:
        texts = self._git.texts(patch.changes)
        return {
            path: both
            for path, both in texts.items()
            if path.endswith(".py") and not self._kit.is_test(path) and both[1]
        }

    def _added_data(self, patch: Patch) -> dict[str, str]:
        """The lines that it adds to files that are not Python."""
        texts = {path: both for path, both in self._git.texts(patch.changes).items() if not path.endswith(".py")}
        return {
            path: "\n".join(lines_of(new)[number - 1] for number in sorted(added_lines(old, new)))
            for path, (old, new) in texts.items()
            if not self._kit.is_test(path)
        }

    def _tests_left_out(self, tree: str) -> Overlay:
        """The data that the tests read stays."""
        code = [path for path in self._git.files(tree) if PurePosixPath(path).suffix.startswith(".py")]
        return {path: None for path in code if self._kit.is_test(path)}

    def _rewritten(self, tree: str, tests: Iterable[str]) -> dict[str, bytes]:
        names = _by_file(tests)
        texts = {path: rewritten(source, names[path]) for path, source in self._sources(tree, names).items()}
        return {path: text for path, text in texts.items() if text is not None}

    def _varied(
        self, subject: Subject, targets: Sequence[str], sample: Sequence[str]
    ) -> tuple[dict[str, bytes], list[Variant]]:
        """The files of these tests with changed expectations, and what is to be run in them, bounded by its cost."""
        tests = {split(test): [one for one in (*targets, *sample) if split(one) == split(test)] for test in targets}
        held = {split(test): [test] for test in sample if split(test) not in tests}
        files: dict[str, bytes] = {}
        own: list[Variant] = []
        copies: list[Variant] = []
        for path, source in self._sources(subject.graded, {path for path, _ in (*tests, *held)}).items():
            most = {name: _COPIES for where, name in tests if where == path}
            found = varied(source, {**{name: 0 for where, name in held if where == path}, **most})
            if found is None:
                continue
            files[path] = found.text
            for one in found.variations:
                for test in {**held, **tests}[path, one.test]:
                    variant = Variant(f"{path}::{one.name}{test[len(path) + 2 + len(one.test) :]}", test, one)
                    (own if one.name == one.test else copies).append(variant)
        return files, [*own, *_some(copies, _most_copies(subject.base))]

    def _sources(self, tree: str, paths: Iterable[str]) -> dict[str, bytes]:
        return self._git.read_all(tree, [path for path in paths if path.endswith(".py")])

    def _modules(self, tree: str, tests: Sequence[str]) -> dict[str, ast.Module]:
        """The files of these tests, parsed."""
        found: dict[str, ast.Module] = {}
        for path, source in self._sources(tree, _by_file(tests)).items():
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                found[path] = ast.parse(source)
        return found

    def _written(self, tree: str, tests: Sequence[str]) -> dict[tuple[str, str], Function]:
        """The functions that these tests are, by file and name."""
        names = _by_file(tests)
        modules = self._modules(tree, tests).items()
        return {(path, name): node for path, tree in modules for name, node in functions(tree) if name in names[path]}

    def _functions(self, subject: Subject) -> list[ast.AST]:
        """The target tests, as they are written."""
        found: list[ast.AST] = [*self._written(subject.graded, subject.targets).values()]
        in_docs = {split(test)[0] for test in subject.targets if is_doctest(test)}
        for path, source in self._git.read_all(subject.graded, in_docs).items():
            found += examples_as_code(path, source.decode(errors="replace"))
        return [*found, *map(as_written, self._data_of_tests(subject))]

    def _data_of_tests(self, subject: Subject) -> list[str]:
        """What is in the data files of the tests that the files of the targets name."""
        tests = b"".join(self._sources(subject.graded, _by_file(subject.targets)).values())
        data = [
            path for path in self._git.files(subject.graded) if self._kit.is_test(path) and not path.endswith(".py")
        ]
        named = [path for path in data if PurePosixPath(path).name.encode() in tests][:_MOST_DATA]
        texts = self._git.read_all(subject.graded, named).values()
        return [text.decode() for text in texts if len(text) <= _LARGEST_DATA and _is_text(text)]


def _nothing(name: str, words: str) -> Asking:
    return Asking(lambda: None, lambda _, __: Safeguard(name, None, words))


def judge_planted(canary: Canary, report: SuiteReport, without: SuiteReport | None) -> Safeguard:
    """Planted tests must be there and fail; where they are not even there without the patch, nothing is asked."""
    planted = {test: outcome for test, outcome in report.outcomes.items() if canary.owns(test)}
    expected = planted if without is None else [test for test in without.outcomes if canary.owns(test)]
    if without is not None and not expected:
        return Safeguard(PLANTED, None, "the suite does not run planted tests")
    if passing := [test for test, outcome in planted.items() if not outcome.red]:
        return Safeguard(PLANTED, Verdict.FAILED, f"{len(passing)} planted tests that must fail did not")
    if not planted or set(planted) != set(expected):
        return Safeguard(PLANTED, Verdict.INCONCLUSIVE, "planted tests vanished")
    return Safeguard(PLANTED, Verdict.PASSED, f"{len(planted)} planted tests failed, as they must")


def aside(report: SuiteReport, canary: Canary | None) -> SuiteReport:
    """The report without what was planted."""
    if canary is None:
        return report
    return replace(
        report, outcomes={test: outcome for test, outcome in report.outcomes.items() if not canary.owns(test)}
    )


def _by_file(tests: Iterable[str], *, whole_ids: bool = False) -> dict[str, list[str]]:
    """The names of tests by their file, or their ids."""
    found: dict[str, list[str]] = {}
    for test in tests:
        path, name = split(test)
        found.setdefault(path, []).append(test if whole_ids else name)
    return found


def _packages(tests: Iterable[str]) -> set[str]:
    """The files of these tests, what makes packages of the folders they are in, and what is set up there."""
    files = set(_by_file(tests))
    folders = {folder for path in files for folder in PurePosixPath(path).parents}
    return files | {str(folder / name) for folder in folders for name in ("__init__.py", "conftest.py")}


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _some(tests: Sequence[_T], most: int) -> list[_T]:
    kept = set(_chance.sample(range(len(tests)), most)) if len(tests) > most else range(len(tests))
    return [test for number, test in enumerate(tests) if number in kept]


def _is_red(test: str, report: SuiteReport) -> bool:
    """It failed, or the file that it is in could not even be read."""
    return any(outcome.red for one in (test, split(test)[0]) if (outcome := report.outcomes.get(one)))


def _most_copies(base: SuiteReport) -> int:
    """As many as take a few seconds, where they take as long as the tests of the suite do."""
    each = base.seconds / max(1, len(base.outcomes))
    return min(_MOST_COPIES, int(_COPIES_SECONDS / max(each, 0.001)))


def _was_met(variant: Variant, traced: TracedTest | None) -> bool:
    """Whether the assertion that was changed is one that the test came to."""
    if traced is None:
        return variant.what.certain
    return bool(variant.what.lines & traced.lines.get(split(variant.test)[0], frozenset()))


def _named(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"{tests[0]} and {len(tests) - 1} more"
