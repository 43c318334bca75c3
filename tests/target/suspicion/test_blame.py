from whet.domain.suite import Failure
from whet.target.suspicion.blame import CodePlace, most_suspicious, neighbours
from whet.target.suspicion.localise import Covered

SOURCES = {
    "m.py": """\
X = 1
def helper(a):
    b = a
    return b.strip()
def caller(a):
    c = a
    return helper(c)
"""
}
HELPER, CALLER = CodePlace("m.py", "helper"), CodePlace("m.py", "caller")


def covered(test: str, *lines: int, red: bool = False) -> Covered:
    return Covered(test, red, {"m.py": frozenset(lines)})


def blame(*coverage: Covered, failures: dict[str, Failure] | None = None) -> dict[CodePlace, frozenset[int]]:
    return dict(most_suspicious(coverage, failures or {}, SOURCES, lambda path: path.startswith("tests/")))


def test_all_functions_that_only_the_failing_test_runs_share_the_blame() -> None:
    assert blame(covered("a", 1, 3, 4, 6, 7, red=True)) == {HELPER: {3, 4}, CALLER: {6, 7}}


def test_a_function_that_passing_tests_run_is_cleared() -> None:
    assert blame(covered("a", 3, 4, 6, 7, red=True), covered("b", 3, 4)) == {CALLER: {6, 7}}


def test_the_function_of_a_crash_is_blamed_with_the_lines_before_the_crash() -> None:
    crash = Failure(
        exception="AttributeError", message="", frames=(("m.py", 7, "caller"), ("m.py", 4, "helper")), text=""
    )
    assert blame(covered("a", 3, 4, 6, 7, red=True), failures={"a": crash}) == {HELPER: {3, 4}}


def test_code_that_many_passing_tests_run_is_not_blamed() -> None:
    passing = [covered(f"b{number}", 3, 4, 6, 7) for number in range(10)]
    assert blame(covered("a", 3, 4, 6, 7, red=True), *passing) == {}


def test_neighbours_in_the_same_file_come_first_and_others_are_sampled() -> None:
    passed = {f"tests/test_{file}.py::test_{number}" for file in "ab" for number in range(100)}
    chosen = neighbours(["tests/test_b.py::test_red"], passed)
    assert all(test.startswith("tests/test_b.py") for test in chosen[:100])
    assert len(chosen) == 130
