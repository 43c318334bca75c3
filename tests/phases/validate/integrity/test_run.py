"""Every safeguard is in the table of contents, and is asked only if the patch gives it something to examine."""

import importlib
import pkgutil
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity import run, safeguards
from whet.phases.validate.integrity.planted_file import plant
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, passed, without_run
from whet.phases.validate.integrity.safeguards import SAFEGUARDS
from whet.phases.validate.integrity.subject import Reports, Subject, sample
from whet.target.tracer import TracedTest


def test_every_safeguard_of_the_folder_is_listed_once() -> None:
    modules = [importlib.import_module(f"{safeguards.__name__}.{name}") for _, name, _ in pkgutil.iter_modules(safeguards.__path__)]  # fmt: skip
    classes = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and Safeguard in value.__mro__
    }
    assert sorted(kind.__name__ for kind in classes) == sorted(type(one).__name__ for one in SAFEGUARDS)
    names = [safeguard.name for safeguard in SAFEGUARDS]
    assert len(set(names)) == len(names)


def report(outcomes: dict[str, Outcome], doctests: Sequence[str] = ()) -> SuiteReport:
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True, doctests=frozenset(doctests))


def subject(*targets: str, doctests: Sequence[str] = (), held: bool = True) -> Subject:
    planted = plant("tests/test_a.py")
    failing = report({f"{planted.path}::test_planted": Outcome.FAILED})
    reports = Reports(report({}, doctests), failing, failing, planted)
    patch: Any = SimpleNamespace(changes=())
    trees: Any = SimpleNamespace(patched="patched")
    git = SimpleNamespace(texts=lambda _changes: {}, read_all=lambda _tree, _paths: {})
    policy = SimpleNamespace(tests=SimpleNamespace(runner="unittest"))
    kit: Any = SimpleNamespace(suite=None, git=git, policy=policy)
    return Subject(kit, patch, trees, reports, targets, held)


def test_a_patch_that_makes_tests_worse_is_examined_by_safeguards_that_need_no_targets() -> None:
    assert [(result.name, result.verdict) for result in run.examine(subject(held=False))] == [
        ("planted tests", Verdict.PASSED), ("uncollected doctests", None),
    ]  # fmt: skip


class Fake(Safeguard):
    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self._log = name, log

    def prepare(self, subject: Subject) -> Examination:
        self._log.append(f"prepare {self.name}")

        def judge(output: str, traces: Sequence[TracedTest]) -> SafeguardResult:
            self._log.append(f"judge {self.name}")
            return passed(self.name, f"{output}, {len(traces)} trace")

        return Examination(judge, lambda: f"output of {self.name}")


def test_each_safeguard_judges_its_own_output_and_the_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    monkeypatch.setattr(run, "SAFEGUARDS", (Fake("a", log), Fake("b", log)))
    monkeypatch.setattr(run, "trace", lambda suite, tree, tests: [TracedTest(test, "passed", {}) for test in tests])

    results = run.examine(subject("tests/test_a.py::test_it", "src/a.py::a.f", doctests=["src/a.py::a.f"]))

    assert [result.words for result in results] == ["output of a, 1 trace", "output of b, 1 trace"]
    assert log == ["prepare a", "prepare b", "judge a", "judge b"]


def test_a_target_that_is_named_like_its_file_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SAFEGUARDS", (Fake("a", []),))
    monkeypatch.setattr(run, "trace", lambda suite, tree, tests: [TracedTest(test, "passed", {}) for test in tests])

    (result,) = run.examine(subject("tests/test_a.py::test_a"))

    assert result.words == "output of a, 1 trace"


def test_tests_near_the_patch_are_traced_for_late_safeguards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    class Late(Fake):
        late = True

        def prepare(self, subject: Subject) -> Examination:
            seen.append([traced.test for traced in subject.traces])
            return super().prepare(subject)

    monkeypatch.setattr(run, "SAFEGUARDS", (Fake("early", []), Late("late", [])))
    monkeypatch.setattr(run, "near_tests", lambda _subject, _changed: ["t.py::test_target", "t.py::test_near"])
    monkeypatch.setattr(run, "trace", lambda suite, tree, tests: [TracedTest(test, "passed", {}) for test in tests])
    results = run.examine(subject("t.py::test_target"))
    assert [result.words for result in results] == ["output of early, 1 trace", "output of late, 1 trace"]
    assert seen == [["t.py::test_target", "t.py::test_near"]]


def test_a_sample_keeps_the_order_and_the_limit() -> None:
    items = list(range(100))
    assert sample(items, 100) == items
    chosen = sample(items, 7)
    assert len(chosen) == 7
    assert chosen == sorted(set(chosen))


def test_a_late_safeguard_is_asked_only_if_nothing_speaks_against_the_patch(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    early, late = Fake("early", log), Fake("late", log)
    late.late = True
    monkeypatch.setattr(run, "SAFEGUARDS", (late, early))
    monkeypatch.setattr(run, "trace", lambda suite, tree, tests: [])
    assert [result.name for result in run.examine(subject("tests/test_a.py::test_it"))] == ["early", "late"]

    monkeypatch.setattr(early, "prepare", lambda _subject: without_run(inconclusive("early", "a doubt")))
    assert [result.name for result in run.examine(subject("tests/test_a.py::test_it"))] == ["early"]


def test_without_targets_the_planted_tests_the_doctests_and_the_varied_inputs_are_asked() -> None:
    assert [safeguard.name for safeguard in SAFEGUARDS if not safeguard.needs_targets] == [
        "planted tests",
        "uncollected doctests",
        "varied inputs",
    ]
