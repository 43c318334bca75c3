"""Tests close to a change: which files they are in, and when they end a proof."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

from whet.domain.progress import Silent
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate.affected import closest_test_files, fail_fast
from whet.phases.validate.trees import Trees

P, F = Outcome.PASSED, Outcome.FAILED
SOURCES = {
    "lib/__init__.py": "",
    "lib/core.py": "",
    "lib/api.py": "from lib import core\n",
    "tests/test_core.py": "from lib.core import f\n",
    "tests/test_api.py": "import lib.api\n",
    "tests/test_other.py": "import json\n",
}
SECONDS = {"tests/test_core.py": 1.0, "tests/test_api.py": 1.5}
BASE = {
    "tests/test_core.py::bug": F,
    "tests/test_core.py::ok": P,
    "tests/test_api.py::ok": P,
    "tests/test_other.py::x": P,
}


def base(other: float = 30.0) -> SuiteReport:
    """Return the report of the base, in which the tests that have nothing to do with the change take `other` seconds."""
    seconds = {**SECONDS, "tests/test_other.py": other}
    return SuiteReport(tree="base", outcomes=BASE, seconds=1.0, complete=True, file_seconds=seconds)


@dataclass
class FakeSuite:
    """A suite that gives each tree its outcomes, and tells which runs there were."""

    outcomes: dict[str, dict[str, Outcome]]
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def run(self, tree: str, ids: tuple[str, ...] = (), **_: object) -> SuiteReport:
        self.asked.append((tree, ids))
        chosen = {
            test: outcome
            for test, outcome in self.outcomes[tree].items()
            if test in ids or test.partition("::")[0] in ids
        }  # fmt: skip
        return SuiteReport(tree=tree, outcomes=chosen, seconds=1.0, complete=True)


def concluded(
    patched: dict[str, Outcome], on_base: dict[str, Outcome] | None = None, other: float = 30.0
) -> tuple[CheckResult | None, FakeSuite]:
    suite = FakeSuite({"patched": {**BASE, **patched}, "base": {**BASE, **(on_base or {})}})
    git = SimpleNamespace(
        files=lambda _: list(SOURCES), read_all=lambda _, paths: {path: SOURCES[path].encode() for path in paths}
    )
    kit = cast(Kit, SimpleNamespace(suite=suite, git=git, progress=Silent()))
    trees = Trees(base="base", patched="patched", own_tests=())
    return fail_fast(kit, trees, ["lib/core.py"], base(other), ("tests/test_core.py::bug",)), suite


def test_the_closest_files_come_first_and_a_share_of_the_time_is_the_limit() -> None:
    assert closest_test_files(SOURCES, ["lib/core.py"], base()) == ["tests/test_core.py", "tests/test_api.py"]
    assert closest_test_files(SOURCES, ["lib/core.py"], base(15.0)) == ["tests/test_core.py"]
    assert closest_test_files(SOURCES, ["README.md"], base()) == []


def test_nothing_is_concluded_if_the_close_tests_are_green() -> None:
    result, suite = concluded({"tests/test_core.py::bug": P})
    assert result is None
    assert suite.asked == [("patched", ("tests/test_core.py", "tests/test_api.py"))]


def test_a_target_that_is_not_green_ends_the_proof() -> None:
    result, _ = concluded({})
    assert result is not None
    assert result.verdict is Verdict.FAILED
    assert result.reason == "still not green with the patch: tests/test_core.py::bug (1 other test did not run)"
    assert (result.held, result.green) == (2, ())


def test_a_regression_ends_the_proof() -> None:
    result, suite = concluded({"tests/test_core.py::bug": P, "tests/test_api.py::ok": F})
    assert result is not None
    assert result.regressed == ("tests/test_api.py::ok",)
    assert suite.asked[-1] == ("base", ("tests/test_api.py::ok",))


def test_a_test_that_fails_alone_without_the_patch_too_is_left_to_the_whole_suite() -> None:
    result, _ = concluded({"tests/test_core.py::bug": P, "tests/test_api.py::ok": F}, {"tests/test_api.py::ok": F})
    assert result is None


def test_a_short_suite_runs_at_once() -> None:
    result, suite = concluded({}, other=1.0)
    assert (result, suite.asked) == (None, [])
