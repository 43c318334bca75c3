"""The lines that a change adds."""

import pytest

from whet.guard.content.added import added_lines


@pytest.mark.parametrize(
    ("old", "new", "added"),
    [
        ("", "a\nb\n", {1, 2}),
        ("a\n", "a\fb\n", {1}),
        ("a\r\nb\r\n", "a\r\nx\r\nb\r\n", {2}),
        ("a\nb\n", "a\nb\n", set()),
        ("a\nb\n", "a\n", set()),
        ("a\nb\n", "a\nx\nb\n", {2}),
        ("a\nb\nc\n", "a\nx\nc\n", {2}),
        ("a\na\na\n", "a\na\na\na\n", {4}),
        ("a\nb\n", "b\na\n", {1}),
    ],
)
def test_added_lines_are_those_that_the_old_text_does_not_have_there(old: str, new: str, added: set[int]) -> None:
    assert added_lines(old, new) == added
