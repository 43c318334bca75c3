"""The calls that patches which passed answer differently."""

from collections.abc import Mapping

import pytest

from whet.domain.undecided_call import UndecidedCall
from whet.phases.propose.repair.disputes import (
    ObservedPatch,
    ReferenceAnswers,
    agreeing_with_docstrings,
    disputed_calls,
)

SOURCES = {"m.py": "def f(x):\n    return x\n"}
CRASHES = ReferenceAnswers(base={"f(None)": "raise TypeError", "f(0)": "0", "f(1)": "raise TypeError"})


def observed(digest: str, answers: Mapping[str, str], function: str = "f") -> ObservedPatch:
    return ObservedPatch(digest, "m.py", function, answers)


def asked(*patches: ObservedPatch, reference: ReferenceAnswers = CRASHES) -> list[UndecidedCall]:
    return list(disputed_calls(patches, reference, SOURCES))


def answers_of(call: UndecidedCall) -> dict[str, tuple[str, ...]]:
    return {answer.text: answer.patches for answer in call.answers}


def test_a_call_with_different_answers_names_each_answer_and_its_patches() -> None:
    (call,) = asked(
        observed("a", {"f(None)": "''"}), observed("b", {"f(None)": "None"}), observed("c", {"f(None)": "''"})
    )
    assert (call.call, call.function, call.path) == ("f(None)", "f", "m.py")
    assert answers_of(call) == {"''": ("a", "c"), "None": ("b",)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"f(None)": "''"}, {"f(None)": "''"}),
        ({"f(None)": "''"}, {"f(7)": "''"}),
        ({"f(None)": "''"}, {}),
        ({"f(None)": "0"}, {"f(None)": "False"}),  # a test takes them for equal
        ({"f(None)": "[0.0]"}, {"f(None)": "[0]"}),
        ({"f(None)": "14.39375"}, {"f(None)": "14.393749999999999"}),  # rounding
        ({"f(None)": "too slow"}, {"f(None)": "1"}),
        ({"f(None)": "1"}, {"f(None)": "too slow"}),
        ({"f(0)": "0"}, {"f(0)": "1"}),  # the best patch leaves the call as it was
    ],
)
def test_nothing_is_asked_without_a_change_that_another_patch_makes_otherwise(
    first: Mapping[str, str], second: Mapping[str, str]
) -> None:
    assert asked(observed("a", first), observed("b", second)) == []


def test_a_call_that_is_left_out_is_not_asked_about() -> None:
    patches = (observed("a", {"f(None)": "''", "f(1)": "1"}), observed("b", {"f(None)": "None", "f(1)": "2"}))
    (call,) = disputed_calls(patches, CRASHES, SOURCES, {"f(1)"})
    assert call.call == "f(1)"


def test_a_single_patch_asks_nothing() -> None:
    assert asked(observed("a", {"f(None)": "1"})) == []


def test_an_answer_that_changes_from_run_to_run_is_not_asked_about() -> None:
    reference = ReferenceAnswers(base=CRASHES.base, again={"f(None)": "'other id'"})
    assert asked(observed("a", {"f(None)": "'an id'"}), observed("b", {"f(None)": "'id'"}), reference=reference) == []


def test_patches_of_different_functions_are_not_compared() -> None:
    assert asked(observed("a", {"f(None)": "1"}), observed("b", {"f(None)": "2"}, function="g")) == []


def test_a_call_that_a_test_can_make_is_asked_first() -> None:
    reference = ReferenceAnswers()
    first, second = (
        {"f(Point{'x': 1})": answer, "f(2)": answer, "f([1])": f"[1], leaving f([{answer}])"} for answer in ("1", "2")
    )
    (call,) = asked(observed("a", first), observed("b", second), reference=reference)
    assert (call.call, call.testable) == ("f(2)", True)


def test_a_call_that_no_test_can_make_is_still_asked_about() -> None:
    (call,) = asked(
        observed("a", {"f(Point{})": "1"}), observed("b", {"f(Point{})": "2"}), reference=ReferenceAnswers()
    )
    assert not call.testable


def test_further_calls_are_asked_only_if_they_tell_more_patches_apart() -> None:
    first, second = asked(
        observed("a", {"f(None)": "''", "f(1)": "1"}),
        observed("b", {"f(None)": "None", "f(1)": "1"}),
        observed("c", {"f(None)": "''", "f(1)": "2"}),
        observed("d", {"f(None)": "None", "f(1)": "1", "f(3)": "9"}),
    )
    assert (first.call, second.call) == ("f(None)", "f(1)")


def test_a_call_with_a_secret_is_asked_only_if_there_is_no_other() -> None:
    secret = "f('AKIAIOSFODNN7EXAMPLE')"
    calls = [{secret: answer, "f(2)": answer} for answer in ("1", "2")]
    assert [
        call.call for call in asked(observed("a", calls[0]), observed("b", calls[1]), reference=ReferenceAnswers())
    ] == ["f(2)"]


DOCUMENTED = '''
def f(x):
    """Return x.

    >>> f(None)
    ''
    >>> f(-1)
    Traceback (most recent call last):
        ...
    ValueError: negative
    """
    return x
'''


def documented(*patches: ObservedPatch) -> list[str]:
    return [patch.digest for patch in agreeing_with_docstrings(patches, {"m.py": DOCUMENTED})]


def test_an_example_in_the_docstring_decides() -> None:
    assert documented(observed("a", {"f(None)": "'none'"}), observed("b", {"f( None )": "''"})) == ["a", "b"]
    assert documented(observed("a", {"f(None)": "'none'"}), observed("b", {"f(None)": "''"})) == ["b"]
    assert documented(observed("a", {"f(-1)": "raise ValueError"}), observed("b", {"f(-1)": "0"})) == ["a"]


def test_an_example_that_no_patch_agrees_with_decides_nothing() -> None:
    assert documented(observed("a", {"f(None)": "1"}), observed("b", {"f(None)": "2"})) == ["a", "b"]


def test_a_docstring_of_another_function_decides_nothing() -> None:
    patches = (observed("a", {"f(None)": "1"}, function="g"), observed("b", {"f(None)": "''"}, function="g"))
    assert documented(*patches) == ["a", "b"]


def test_a_source_that_cannot_be_parsed_decides_nothing() -> None:
    patches = [observed("a", {"f(None)": "1"})]
    assert agreeing_with_docstrings(patches, {"m.py": "def f(:"}) == patches
