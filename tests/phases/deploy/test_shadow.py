from collections.abc import Callable
from typing import Any

import pytest

from tests.phases.recorded import call, tool
from whet.cases.from_calls import LiveCallTests, live_call_tests
from whet.domain.captured import CapturedCall
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.phases.deploy.shadow import ShadowTally
from whet.statistics.arm import Pairs

TEST = "tests/test_whet_live_calls.py::test_1"
COMPARED = Failure(
    exception="AssertionError", message="", frames=(("tests/test_whet_live_calls.py", 5, "test_1"),), text=""
)
RAISED = Failure(exception="KeyError", message="", frames=(*COMPARED.frames, ("calculator.py", 9, "divide")), text="")
ASSERTED = Failure(
    exception="AssertionError", message="", frames=(*COMPARED.frames, ("calculator.py", 9, "divide")), text=""
)


def ran(outcome: Outcome | None, failure: Failure | None = None, *, complete: bool = True) -> SuiteReport:
    return SuiteReport(
        tree="t",
        outcomes={TEST: outcome} if outcome else {},
        seconds=0.1,
        complete=complete,
        failures={TEST: failure} if failure else {},
    )


GREEN, RED = ran(Outcome.PASSED), ran(Outcome.FAILED, RAISED)
ROWS = [  # failed in the application, the old tree, the candidate's, what it comes to, left out
    (False, None, GREEN, Pairs(3), 0),
    (False, GREEN, RED, Pairs(3, worse=3), 0),
    (False, GREEN, ran(None), Pairs(3, worse=3), 0),  # it did not import
    (False, GREEN, ran(Outcome.FAILED, ASSERTED), Pairs(3, worse=3), 0),
    (False, GREEN, ran(Outcome.FAILED, COMPARED), Pairs(3, different=3), 0),
    (False, RED, RED, Pairs(), 3),  # the sandbox does not give what the application got
    (False, ran(None, complete=False), RED, Pairs(), 3),
    (False, None, RED, Pairs(), 3),
    (False, ran(None, complete=False), ran(Outcome.PASSED, complete=False), Pairs(), 3),  # neither got to its end
    (True, RED, GREEN, Pairs(better=3), 0),
    (True, RED, RED, Pairs(), 0),
    (True, GREEN, GREEN, Pairs(), 3),
    (True, GREEN, RED, Pairs(), 3),
    (True, None, GREEN, Pairs(), 3),
]


@pytest.mark.parametrize(("failed", "old", "new", "pairs", "left_out"), ROWS)
def test_a_call_counts_only_if_the_old_version_repeats_its_recorded_result(
    failed: bool, old: SuiteReport | None, new: SuiteReport, pairs: Pairs, left_out: int
) -> None:
    calls = {TEST: (call(1, 2, failed=failed),) * 3}
    assert ShadowTally().with_calls(calls, old, new) == ShadowTally(pairs, left_out)


def written(*calls: CapturedCall, **declared: Any) -> LiveCallTests:
    found = live_call_tests(tool(safe_for_shadow=True, **declared), "calculator.py", calls, "tests/")
    assert found is not None
    compile(found.text, found.path, "exec")
    return found


def test_identical_calls_are_run_once_and_all_counted() -> None:
    found = written(call(6, 3, output=2.0), call(6, 3, output=2.0), call(6, 0, failed=True), call(1, 1, output=1.0))
    assert [len(same) for same in found.calls.values()] == [2, 1, 1]
    assert "    assert divide(6, 3) == 2.0\n" in found.text
    assert "    divide(6, 0)  # raised an error\n" in found.text


def test_declared_mocks_replace_effects_outside() -> None:
    found = written(call(6, 3, output=2.0), mocks=["smtplib.SMTP"], side_effects=True)
    assert "with mock.patch('smtplib.SMTP'):" in found.text


UNWRITABLE: list[Callable[[], LiveCallTests | None]] = [
    lambda: live_call_tests(
        tool(safe_for_shadow=True), "calculator.py", [call(1, 2, output=3, replayable=False)], "tests/"
    ),
    lambda: live_call_tests(tool("<lambda>", safe_for_shadow=True), "calculator.py", [call(1, 2, output=3)], "tests/"),
    lambda: live_call_tests(tool(safe_for_shadow=True), "calculator.py", [call({"$cut": 5}, output=3)], "tests/"),
    lambda: live_call_tests(tool(safe_for_shadow=True), "calculator.py", [], "tests/"),
]


@pytest.mark.parametrize("attempt", UNWRITABLE)
def test_calls_that_cannot_be_replayed_are_not_written(attempt: Callable[[], LiveCallTests | None]) -> None:
    assert attempt() is None
