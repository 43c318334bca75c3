"""Questions about undecided calls, as they are shown."""

from dataclasses import replace

import pytest

from whet.cli.views.undecided import question_lines, reviewer_lines
from whet.domain.undecided_call import BASE, PossibleAnswer, UndecidedCall

CALL = UndecidedCall(
    call="customer_key({'name': None})",
    function="customer_key",
    path="customers.py",
    answers=(
        PossibleAnswer(text="''", patches=("a", "b")),
        PossibleAnswer(text="None", patches=("c",)),
        PossibleAnswer(text="raise ValueError", patches=("d",)),
    ),
)


def test_a_short_question_is_one_line_with_numbered_answers() -> None:
    assert question_lines(CALL, "x") == [
        "customer_key({'name': None}) should be:   1 ''   2 None   3 raise ValueError   4 something else"
    ]


def test_a_long_question_has_one_line_for_each_answer() -> None:
    assert question_lines(replace(CALL, call=f"customer_key({'a' * 60!r})"), "c")[1:] == [
        "  1 ''", "  2 None (this patch)", "  3 raise ValueError", "  4 something else",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["'\x1b[2Jx'", "'a\nb'", "'\u202eevil'"])
def test_text_from_outside_cannot_steer_the_terminal(text: str) -> None:
    call = replace(
        CALL, call=f"customer_key({text})", answers=(PossibleAnswer(text=text, patches=("a",)), *CALL.answers)
    )
    for line in [*question_lines(call, "a"), *reviewer_lines(call, "a")]:
        assert not {"\x1b", "\n", "\u202e"} & set(line)


def test_the_reviewer_sees_which_code_gives_which_answer() -> None:
    call = replace(CALL, answers=(*CALL.answers[:2], PossibleAnswer(text="'none'", patches=(BASE,))))
    assert reviewer_lines(call, "a") == [
        "a question for the reviewer: what should customer_key({'name': None}) be?",
        "  ''  with the patch",
        "  None  with another patch",
        "  'none'  without the patch",
        "  a test that states the answer settles it",
    ]
