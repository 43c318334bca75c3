"""An undecided call as a question with numbered answers."""

from whet.domain.undecided_call import UndecidedCall, shown

SOMETHING_ELSE = "something else"
_WIDTH = 100


def question_lines(undecided: UndecidedCall, patch: str) -> list[str]:
    """Return the question on one line if it fits, else each answer on a line of its own.

    `patch` is the digest of the patch that is shown; its answer is marked.
    """
    answers = [
        shown(answer.text) + (" (this patch)" if patch in answer.patches else "") for answer in undecided.answers
    ]
    options = [f"{number} {text}" for number, text in enumerate([*answers, SOMETHING_ELSE], 1)]
    start = f"{shown(undecided.call)} should be:"
    line = "   ".join([start, *options])
    return [line] if len(line) <= _WIDTH else [start, *(f"  {option}" for option in options)]


def reviewer_lines(undecided: UndecidedCall, patch: str) -> list[str]:
    """Return the question for the reviewer of the patch with this digest, and how to settle it."""
    rows = [(shown(answer.text), undecided.given_by(answer, patch)) for answer in undecided.answers]
    return [
        f"a question for the reviewer: what should {shown(undecided.call)} be?",
        *(f"  {text}  {whose}" for text, whose in rows),
        "  a test that states the answer settles it",
    ]
