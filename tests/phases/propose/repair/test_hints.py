from whet.domain.suite import Failure
from whet.phases.propose.repair.hints import Hints, read_hints, template_boosts

TESTS = """\
import pytest

class TestA:
    def test_b(self):
        with pytest.raises(ValueError):
            f(-3)

def test_c():
    assert f([]) == 0

def test_other():
    assert f(77) == 78
"""


def failure(exception: str, message: str) -> Failure:
    return Failure(exception=exception, message=message, frames=(), text="")


def test_both_sides_of_a_failed_comparison_are_read() -> None:
    hints = read_hints({"t.py::t": failure("AssertionError", "assert 4 == 5\n +  where 4 = f(1)")}, {})
    assert (hints.actual, hints.expected) == (("4",), ("5",))


def test_a_side_that_is_not_a_literal_is_ignored() -> None:
    assert read_hints({"t.py::t": failure("AssertionError", "assert <A 1> == 5")}, {}).expected == ()


def test_literals_come_from_the_failing_test_only() -> None:
    hints = read_hints({"t.py::test_c[1]": failure("IndexError", "")}, {"t.py": TESTS})
    assert hints.expected == ("0",)
    assert "77" not in hints.constants


def test_an_expected_exception_is_read_from_the_message_and_the_test() -> None:
    not_raised = failure("Failed", "DID NOT RAISE <class 'KeyError'>")
    assert read_hints({"t.py::t": not_raised}, {}).raises == ("KeyError",)
    assert read_hints({"t.py::TestA::test_b": failure("Failed", "")}, {"t.py": TESTS}).raises == ("ValueError",)


def test_a_qualified_exception_is_reduced_to_its_last_name() -> None:
    assert read_hints({"t": failure("builtins.KeyError", "'a'")}, {}).exceptions == ("KeyError",)


def test_failures_raise_the_likelihood_of_their_usual_causes() -> None:
    assert template_boosts(Hints(exceptions=("ZeroDivisionError",)))["guard"] > 1
    assert template_boosts(Hints(actual=("None",), expected=("3",)))["missing_return"] > 1
    assert template_boosts(Hints(actual=("2",), expected=("3",)))["off_by_one"] > 1
    assert template_boosts(Hints()) == {}
