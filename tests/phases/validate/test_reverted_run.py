"""The second run without the patch: which tests run again, and when all of them do."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

from whet.domain.progress import Silent
from whet.domain.suite import Outcome, SuiteReport
from whet.kit import Kit
from whet.phases.validate.integrity.planted_file import PlantedFile
from whet.phases.validate.reverted_run import RevertedRun, needs_whole_run, run_reverted, select_repeated

P, F = Outcome.PASSED, Outcome.FAILED
PLANTED = PlantedFile("tests/test_planted.py", b"")
PLANTED_TEST = "tests/test_planted.py::test_x"
BASE = {"a::bug": F, "a::ok": P, "a::old": P, "a::more": P, "a::other": P}


def report(outcomes: dict[str, Outcome], **fields: object) -> SuiteReport:
    return replace(SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True), **fields)  # type: ignore[arg-type]


@dataclass
class FakeSuite:
    """A suite that answers a run of some tests with `few` and a run of all tests with `whole`."""

    few: SuiteReport
    whole: SuiteReport
    asked: list[tuple[str, ...]] = field(default_factory=list)
    remembered: list[SuiteReport] = field(default_factory=list)

    def run(self, tree: str, ids: tuple[str, ...] = (), **_: object) -> SuiteReport:
        self.asked.append(ids)
        return self.few if ids else self.whole

    def remember(self, newer: SuiteReport) -> None:
        self.remembered.append(newer)


def run(
    suite: FakeSuite, patched: dict[str, Outcome], targets: tuple[str, ...] = (), looks: dict[str, str] | None = None
) -> RevertedRun:
    kit = cast(Kit, SimpleNamespace(suite=suite, progress=Silent()))
    base = report(BASE, looks={"json": "1"})
    return run_reverted(kit, "t", base, report(patched, looks=looks or {"json": "1"}), targets, PLANTED)


def suite(few: dict[str, Outcome], whole: dict[str, Outcome] | None = None, **fields: object) -> FakeSuite:
    return FakeSuite(report({**few, PLANTED_TEST: F}, **fields), report({**(whole or BASE), PLANTED_TEST: F}))


def test_targets_and_differing_tests_run_again() -> None:
    patched = {"a::bug": P, "a::ok": P, "a::old": F, "a::other": P}
    assert select_repeated(report(BASE), report(patched), ("a::ok", "a::unknown")) == (
        "a::bug", "a::ok", "a::old", "a::more",
    )  # fmt: skip


def test_the_whole_suite_does_not_run_again_if_they_agree() -> None:
    fake = suite({"a::bug": F})
    result = run(fake, {**BASE, "a::bug": P})
    assert fake.asked == [("a::bug",)]
    assert result.repeated == {"a::bug"}
    assert result.report.outcomes[PLANTED_TEST] is F


def test_only_planted_tests_run_again_if_nothing_differs() -> None:
    fake = suite({})
    assert run(fake, BASE).repeated == frozenset()
    assert fake.asked == [(PLANTED.path,)]


def test_a_target_that_passes_alone_is_not_red_on_revert() -> None:
    fake = suite({"a::bug": P})
    result = run(fake, {**BASE, "a::bug": P})
    assert fake.asked == [("a::bug",), ()]
    assert result.report.outcomes["a::bug"] is P
    assert result.repeated == BASE.keys()


def test_a_regressed_test_that_fails_alone_is_judged_by_the_whole_suite() -> None:
    result = run(suite({"a::ok": F}), {**BASE, "a::ok": F})
    assert result.report.outcomes["a::ok"] is P


def test_a_newer_run_of_the_whole_suite_replaces_the_cached_one() -> None:
    fake = suite({"a::ok": F}, {**BASE, "a::ok": F})
    run(fake, {**BASE, "a::ok": F})
    assert [newer.outcomes for newer in fake.remembered] == [{**BASE, "a::ok": F}]


def test_the_whole_suite_runs_again_if_the_few_did_not_come_to_an_end() -> None:
    fake = suite({}, complete=False)
    assert run(fake, {**BASE, "a::bug": P}).report.outcomes["a::bug"] is F
    assert fake.asked == [("a::bug",), ()]


def test_the_whole_suite_runs_again_if_the_patch_leaves_a_library_changed() -> None:
    fake = suite({"a::bug": F})
    run(fake, {**BASE, "a::bug": P}, looks={"json": "2"})
    assert fake.asked == [()]


def test_the_whole_suite_runs_again_if_most_tests_differ() -> None:
    many = {f"a::{number}": P for number in range(40)}
    assert needs_whole_run(report(many), report({}), [*many][:21])
    assert not needs_whole_run(report(many), report({}), [*many][:20])
