"""The targets of candidates in a warm sandbox: outcomes and failures are those of a cold one, and nothing carries over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from tests.support import MakeRepo
from whet.app.project import Project, open_project
from whet.domain.suite import Outcome, SuiteReport
from whet.phases.propose.model.candidate import CandidateTests
from whet.phases.propose.model.target_runs import target_runs

WRONG = "def double(a):\n    return a\n"
GOOD = "def double(a):\n    return a + a\n"
WITH_NEW_FILE = "from factors.two import TWO\n\n\ndef double(a):\n    return TWO * a\n"
FACTORS = {"factors/__init__.py": "", "factors/two.py": "TWO = 2\n"}
DEADLY = "def double(a):\n    import os\n    os.kill(os.getppid(), 9)\n    while True:\n        pass\n"
ENDLESS = "def double(a):\n    while True:\n        pass\n"
TESTS = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n\n\ndef test_zero():\n    assert double(0) == 0\n"
UNITTESTS = "import unittest\n\nfrom mod import double\n\n\nclass TestDouble(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(double(2), 4)\n"
PYTEST_ID, UNITTEST_ID = "tests/test_mod.py::test_double", "tests/test_mod.py::TestDouble::test_double"
Files = Mapping[str, str]


@dataclass
class Runs:
    """Runs one target on candidates, and counts the runs in a cold sandbox."""

    project: Project
    target: str
    cold: list[str] = field(default_factory=list)

    def __call__(self, *candidates: Files, run_seconds: float = 30.0) -> list[SuiteReport]:
        suite, git = self.project.kit.suite, self.project.git
        base, run = git.tree_of("HEAD"), suite.run

        def counted(tree: str, ids: tuple[str, ...] = ()) -> SuiteReport:
            self.cold.append(tree)
            return run(tree, ids)

        suite.run = counted  # type: ignore[method-assign,assignment]  # called with these arguments only
        with target_runs(suite, base, (self.target,), run_seconds=run_seconds, wall_seconds=120) as run_targets:
            return [run_targets(self.tree(files), files) for files in candidates]

    def tree(self, files: Files) -> str:
        return self.project.git.with_files("HEAD", {path: text.encode() for path, text in files.items()})


Open = Callable[..., Runs]


@pytest.fixture
def runs(make_repo: MakeRepo, request: pytest.FixtureRequest) -> Open:
    def make(tests: str = TESTS, target: str = PYTEST_ID, runner: str = "pytest", source: str = WRONG) -> Runs:
        policy = f'[tests]\nfolders = ["tests"]\nrunner = "{runner}"\n'
        project = open_project(make_repo({"mod.py": source, "tests/test_mod.py": tests, "whet.toml": policy}).root)
        request.addfinalizer(project.store.close)
        return Runs(project, target)

    return make


@pytest.mark.parametrize(
    ("tests", "target", "runner"), [(TESTS, PYTEST_ID, "pytest"), (UNITTESTS, UNITTEST_ID, "unittest")]
)
def test_a_warm_sandbox_reports_what_a_cold_one_does(runs: Open, tests: str, target: str, runner: str) -> None:
    run = runs(tests, target, runner)
    new, missing = {"mod.py": WITH_NEW_FILE, **FACTORS}, {"mod.py": WITH_NEW_FILE}
    right, without, red, broken = run(
        new, missing, {"mod.py": "def double(a):\n    return a * 3\n"}, {"mod.py": "def :\n"}
    )
    assert run.cold == []
    assert right.outcomes == {target: Outcome.PASSED}
    assert "No module named 'factors'" in without.failures["tests/test_mod.py"].message
    [syntax] = broken.failures.values()
    assert (syntax.exception, syntax.frames[-1]) == ("SyntaxError", ("mod.py", 1, "<module>"))
    cold = run.project.kit.suite.run(run.tree({"mod.py": "def double(a):\n    return a * 3\n"}), (target,))
    [known], [shown] = cold.failures.values(), red.failures.values()
    assert red.outcomes == cold.outcomes
    assert (shown.exception, shown.message, shown.frames) == (known.exception, known.message, known.frames)
    assert "4" in shown.message


def test_a_candidate_that_ends_the_sandbox_runs_again_alone(runs: Open) -> None:
    run = runs()
    deadly, good = run({"mod.py": DEADLY}, {"mod.py": GOOD})
    assert len(run.cold) == 1
    assert (deadly.outcomes, good.outcomes) == ({PYTEST_ID: Outcome.FAILED}, {PYTEST_ID: Outcome.PASSED})


def test_a_candidate_that_does_not_end_is_given_up(runs: Open) -> None:
    run = runs()
    [endless] = run({"mod.py": ENDLESS}, run_seconds=0.5)
    assert (endless.complete, endless.problem, run.cold) == (False, "took too long", [])


def test_a_target_that_is_not_red_in_the_warm_sandbox_runs_in_a_cold_one(runs: Open) -> None:
    run = runs(source=GOOD)
    run({"mod.py": WRONG}, {"mod.py": GOOD})
    assert len(run.cold) == 2


def outcome(runs: Runs, targets: SuiteReport, whole: SuiteReport) -> tuple[bool, str, str]:
    suite = runs.project.kit.suite
    suite.run = lambda _tree, *_: whole  # type: ignore[method-assign]
    tests = CandidateTests((PYTEST_ID,), frozenset({PYTEST_ID, "b"}), lambda _tree, _files: targets, suite)
    result = tests("tree", {})
    shown = (
        "\n".join([result.feedback.words, *(f"{q.heading}: {q.text}" for q in result.feedback.quotations)])
        if result.feedback
        else ""
    )
    return result.passed, result.why, shown


def report(outcomes: dict[str, str], problem: str = "") -> SuiteReport:
    named = {test: Outcome(outcome) for test, outcome in outcomes.items()}
    return SuiteReport(tree="t", outcomes=named, seconds=1.0, complete=not problem, problem=problem)


def test_a_candidate_passes_if_the_targets_pass_alone_and_in_the_whole_suite(runs: Open) -> None:
    open_, green = runs(), report({PYTEST_ID: "passed"})
    assert outcome(open_, green, report({PYTEST_ID: "passed", "b": "failed"})) == (True, "", "")
    red_together = outcome(open_, green, report({PYTEST_ID: "failed"}))
    assert red_together[:2] == (False, "1 test of the whole suite broken")
    other = outcome(open_, green, report({"c": "failed"}))
    assert other[:2] == (False, "1 test of the whole suite broken") and "Test c: failed" in other[2]
    skipped = outcome(open_, report({PYTEST_ID: "skipped"}), green)
    assert skipped[:2] == (False, "1 target still red") and f"Test {PYTEST_ID}: skipped" in skipped[2]
    late = outcome(open_, report({}, "took too long"), green)
    assert late[1] == "the test run took too long" and "broke off" in late[2]
