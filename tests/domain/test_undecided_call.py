"""A call whose right answer no test decides."""

import pytest

from whet.domain.build import Build
from whet.domain.patch import Patch
from whet.domain.undecided_call import BASE, PossibleAnswer, UndecidedCall

CALL = "customer_key({'name': None})"


def undecided(*answers: PossibleAnswer, call: str = CALL) -> UndecidedCall:
    return UndecidedCall(call=call, function="customer_key", path="customers.py", answers=answers)


EMPTY = PossibleAnswer(text="''", patches=("a", "b"))
NONE = PossibleAnswer(text="None", patches=("c",))
RAISES = PossibleAnswer(text="raise ValueError", patches=("d",))
THREE = undecided(EMPTY, NONE, RAISES)


def patch(digest: str) -> Patch:
    return Patch(base="base", tree="tree", diff="", digest=digest, changes=(), summary="")


@pytest.mark.parametrize(
    "call", ["customer_key()", "customer_key(1, [2.5, (None,)], flag=True)", "customer_key({-1, 2})"]
)
def test_a_call_with_literals_can_be_tested(call: str) -> None:
    assert undecided(EMPTY, call=call).testable


@pytest.mark.parametrize(
    "call",
    [
        "customer_key(Customer{'name': None})", "customer_key(*[1])", "customer_key(**{'a': 1})", "other(1)", "customer_key(name)",
        "customer_key(1) or exit()", "customers.customer_key(1)", "customer_key('unfinished", "customer_key(lambda: 1)", "",
    ],
)  # fmt: skip
def test_a_call_with_anything_else_cannot_be_tested(call: str) -> None:
    assert not undecided(EMPTY, call=call).testable


@pytest.mark.parametrize("text", ["''", "-1", "[1, {'a': None}]", "set()", "raise ValueError", "b'x'"])
def test_a_literal_and_an_exception_can_be_tested(text: str) -> None:
    assert PossibleAnswer(text=text).testable


@pytest.mark.parametrize(
    "text", ["Customer{'name': 1}", "too slow", "raise", "raise 1", "raise A.b", "raise if", "f(1)", "[1"]
)
def test_other_answers_cannot_be_tested(text: str) -> None:
    assert not PossibleAnswer(text=text).testable


def test_answers_agree_if_a_test_takes_them_for_equal() -> None:
    assert PossibleAnswer(text="{1, 2}").agrees("{2, 1}")
    assert PossibleAnswer(text="'a'").agrees('"a"')
    assert PossibleAnswer(text="0").agrees("0.0")
    assert not PossibleAnswer(text="False").agrees("None")
    assert not PossibleAnswer(text="(1, 2)").agrees("[1, 2]")
    assert RAISES.agrees("raise ValueError")
    assert not RAISES.agrees("'raise ValueError'")


def test_patches_that_agree_leave_nothing_undecided() -> None:
    assert THREE.among(["a", "b"]) is None
    assert THREE.among(["c"]) is None
    narrowed = THREE.among(["a", "d"])
    assert narrowed and [(answer.text, answer.patches) for answer in narrowed.answers] == [
        ("''", ("a",)), ("raise ValueError", ("d",)),
    ]  # fmt: skip


def test_a_build_asks_as_long_as_its_patches_disagree() -> None:
    second = undecided(
        PossibleAnswer(text="1", patches=("a",)), PossibleAnswer(text="2", patches=("b",)), call="customer_key(1)"
    )
    build = Build(patch=patch("c"), rivals=(patch("a"), patch("b")), note="", disputed=(THREE, second))
    assert build.undecided and build.undecided.call == CALL
    after_a_refusal = build.next_rival()
    assert after_a_refusal.undecided and after_a_refusal.undecided.call == "customer_key(1)"
    assert after_a_refusal.next_rival().undecided is None


def test_the_sentence_names_the_call_and_the_answers() -> None:
    assert THREE.sentence == (
        "no test says what customer_key({'name': None}) should be, and patches that hold disagree: '', None or raise ValueError"
    )
    with_base = undecided(NONE, PossibleAnswer(text="'none'", patches=(BASE,)))
    assert with_base.sentence == (
        "no test says what customer_key({'name': None}) should be: None with the patch, 'none' without it"
    )


def test_control_characters_in_a_call_are_shown_escaped() -> None:
    assert "\x1b" not in undecided(EMPTY, NONE, call="customer_key('\x1b[2J')").sentence
