"""Divided runs of the suite: when they count, and when the suite runs in one piece."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from whet import state_folder
from whet.config import Config
from whet.domain.progress import Silent
from whet.domain.suite import Outcome, SuiteReport
from whet.kit import Kit
from whet.phases.validate.split_run import agrees, run_all

P, F, S = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED
FILES = {f"{name}.py": 5.0 for name in "abcd"}
BASE = {"a.py::bug": F, "b.py::ok": P, "c.py::ok": P, "d.py::ok": S}
FIXED = {**BASE, "a.py::bug": P}


def report(outcomes: dict[str, Outcome], **fields: object) -> SuiteReport:
    made = SuiteReport(tree="t", outcomes=outcomes, seconds=20.0, complete=True, file_seconds=FILES)
    return replace(made, **fields)  # type: ignore[arg-type]


@dataclass
class FakeSuite:
    """A suite whose outcomes depend on whether it is divided."""

    divided: dict[str, Outcome]
    whole: dict[str, Outcome]
    parts: list[object] = field(default_factory=list)

    def run(
        self, tree: str, ids: tuple[str, ...] = (), *, part: dict[str, list[str]] | None = None, **_: object
    ) -> SuiteReport:
        self.parts.append(part)
        if part is None:
            return report(self.whole)
        kept = set(part.get("keep", FILES)) - set(part.get("skip", ()))
        return report({test: outcome for test, outcome in self.divided.items() if test.partition("::")[0] in kept})


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    state_folder.make_folder(tmp_path / ".whet")
    return tmp_path / ".whet"


def run(suite: FakeSuite, state: Path, policy: Config | None = None) -> SuiteReport:
    kit = SimpleNamespace(suite=suite, progress=Silent(), policy=policy or Config(), state=state)
    return run_all(cast(Kit, kit), "t", "patched", report(BASE), None)


def test_a_divided_run_counts_if_it_agrees_with_the_base(state: Path) -> None:
    suite = FakeSuite(FIXED, {})
    assert run(suite, state).outcomes == FIXED
    assert len(suite.parts) == 2
    assert None not in suite.parts


def test_a_regression_is_seen_in_one_piece_too(state: Path) -> None:
    broken = {**FIXED, "b.py::ok": F}
    suite = FakeSuite(broken, broken)
    assert run(suite, state).outcomes == broken
    assert suite.parts[-1] is None
    assert len(suite.parts) == 3
    run(again := FakeSuite(FIXED, {}), state)
    assert None not in again.parts


def test_a_suite_that_cannot_be_divided_is_not_divided_again(state: Path) -> None:
    assert run(FakeSuite({**FIXED, "b.py::ok": F}, FIXED), state).outcomes == FIXED
    again = FakeSuite({}, FIXED)
    assert run(again, state).outcomes == FIXED
    assert again.parts == [None]


def test_the_policy_says_how_many_parts_run_at_once(state: Path) -> None:
    suite = FakeSuite({}, FIXED)
    run(suite, state, Config.model_validate({"tests": {"at_once": 1}}))
    assert suite.parts == [None]


@pytest.mark.parametrize(
    ("patched", "expected"),
    [
        (report(BASE), True),
        (report(FIXED), True),
        (report({**FIXED, "e.py::new": P}), True),
        (report({**FIXED, "e.py::new": F}), False),
        (report({**FIXED, "d.py::ok": P}), False),
        (report({test: outcome for test, outcome in FIXED.items() if test != "c.py::ok"}), False),
        (report(FIXED, complete=False), False),
        (report(FIXED, looks={"json": "2"}), False),
    ],
)
def test_only_mended_tests_may_differ_in_a_divided_run(patched: SuiteReport, expected: bool) -> None:
    assert agrees(report(BASE, looks={"json": "1"}), patched) is expected
