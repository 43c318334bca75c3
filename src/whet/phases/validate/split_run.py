"""Run the whole suite in several sandboxes at the same time, a part of the test files in each, where the suite allows it.

The base always runs in one piece. A divided run counts only if it says what the base says about every test, apart from red
tests that turned green. Anything else may be due to the division, so the suite runs again in one piece and that run counts.
If the two differ, the suite is not divided any more.
"""

import os
from collections.abc import Callable
from functools import partial

from whet import state_folder
from whet.domain.canonical import digest
from whet.domain.suite import Outcome, SuiteReport
from whet.kit import Kit
from whet.phases.validate.integrity.planted_file import PlantedFile, without_planted
from whet.phases.validate.integrity.safeguards.process_state import changed_libraries
from whet.phases.validate.side_by_side import side_by_side
from whet.phases.validate.suite_run import run_suite
from whet.target.suite import PER_TEST_RUNNERS, Part
from whet.target.suite_parts import divide_suite, join_parts


def run_all(kit: Kit, tree: str, label: str, base: SuiteReport, planted: PlantedFile | None) -> SuiteReport:
    """Run the whole suite, divided if that is faster and gives the same outcomes."""
    parts = _parts(kit, base)
    if not parts:
        return run_suite(kit, tree, label, planted=planted)
    divided = _run_parts(kit, tree, label, parts, planted)
    if agrees(base, without_planted(divided, planted)):
        return divided
    whole = run_suite(kit, tree, f"{label}, in one piece", planted=planted)
    if whole.complete and (not divided.complete or whole.outcomes != divided.outcomes):
        _remember_whole(kit)
    return whole


def agrees(base: SuiteReport, report: SuiteReport) -> bool:
    """True if a divided run is complete and differs from the base only in red tests that turned green."""
    if not report.complete or changed_libraries(base, report):
        return False
    if any(test not in base.outcomes for test in report.red):
        return False
    return all(
        report.outcomes.get(test) is outcome or (outcome.red and report.outcomes.get(test) is Outcome.PASSED)
        for test, outcome in base.outcomes.items()
    )


def _parts(kit: Kit, base: SuiteReport) -> list[Part]:
    """Return the parts to run; none if runs at the same time could exceed the time limit or have differed before."""
    tests = kit.policy.tests
    if tests.runner not in PER_TEST_RUNNERS or base.seconds * 3 > tests.timeout_seconds:
        return []
    parts = divide_suite(base, min(tests.at_once, os.cpu_count() or 1))
    return parts if parts and not _must_stay_whole(kit) else []


def _run_parts(kit: Kit, tree: str, label: str, parts: list[Part], planted: PlantedFile | None) -> SuiteReport:
    progress = _SharedProgress(lambda done, total: kit.progress.advance(f"tests, {label}", done, total))
    runs = [
        partial(
            kit.suite.run,
            tree,
            overlay={planted.path: planted.text} if planted else {},
            planted=(planted.path,) if planted else (),
            part=part,
            on_progress=partial(progress.advance, number),
        )
        for number, part in enumerate(parts)
    ]
    return join_parts(side_by_side(runs, len(runs)), {planted.path} if planted else set())


class _SharedProgress:
    """Adds up the progress of the parts."""

    def __init__(self, show: Callable[[int, int], None]) -> None:
        self._show = show
        self._parts: dict[int, tuple[int, int]] = {}

    def advance(self, part: int, done: int, total: int) -> None:
        self._parts[part] = (done, total)
        counts = list(self._parts.values())
        self._show(sum(done for done, _ in counts), sum(total for _, total in counts))


def _marker(kit: Kit) -> str:
    tests = kit.policy.tests
    return f"undivided-{digest([tests.runner, tests.args, tests.folders])[:16]}"


def _must_stay_whole(kit: Kit) -> bool:
    try:
        state_folder.status(kit.state, _marker(kit))
    except FileNotFoundError:
        return False
    return True


def _remember_whole(kit: Kit) -> None:
    os.close(state_folder.open_file(kit.state, _marker(kit), os.O_RDWR | os.O_CREAT))
    kit.progress.note("tests gave other outcomes in a divided run: this suite runs in one piece from now on")
