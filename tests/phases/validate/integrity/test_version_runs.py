"""Versions share a sandbox if the suite is short and runs by pytest; one without a report runs again alone."""

from types import SimpleNamespace
from typing import Any

import pytest

from whet.domain.progress import Silent
from whet.phases.validate.integrity import version_runs
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.version_runs import groups_of_versions, run_versions
from whet.target.runs.together import VersionRun

VERSIONS = {number: VersionRun((f"t.py::test_{number}",)) for number in (2, 4, 5)}


def subject(runner: str = "pytest", seconds: float = 0.5) -> Subject:
    """A subject whose suite returns the tests that it was asked for as its report."""
    suite: Any = SimpleNamespace(
        policy=SimpleNamespace(tests=SimpleNamespace(runner=runner)),
        run=lambda _tree, tests, **_files: ("alone", *tests),
    )
    kit: Any = SimpleNamespace(suite=suite, progress=Silent())
    reports: Any = SimpleNamespace(base=SimpleNamespace(seconds=seconds))
    patch: Any = None
    trees: Any = SimpleNamespace(patched="patched")
    return Subject(kit, patch, trees, reports, ())


def test_the_versions_of_a_short_suite_share_a_sandbox() -> None:
    [group] = groups_of_versions(subject(), VERSIONS)
    assert dict(sorted(group.items())) == VERSIONS


@pytest.mark.parametrize("longer", [subject(runner="unittest"), subject(seconds=60)])
def test_the_versions_of_another_suite_have_a_sandbox_each(longer: Subject) -> None:
    assert groups_of_versions(longer, VERSIONS) == [{number: version} for number, version in VERSIONS.items()]


def test_the_order_of_the_versions_is_random() -> None:
    orders = {tuple(group) for _ in range(200) for group in groups_of_versions(subject(), VERSIONS)}
    assert len(orders) == 6


def test_a_version_without_a_report_runs_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_runs, "run_together", lambda _suite, _tree, _runs: ["first", None, "third"])
    reports: Any = run_versions(subject(), VERSIONS)
    assert reports == {2: "first", 4: ("alone", "t.py::test_4"), 5: "third"}


def test_a_single_version_runs_alone() -> None:
    reports: Any = run_versions(subject(), {4: VERSIONS[4]})
    assert reports == {4: ("alone", "t.py::test_4")}
