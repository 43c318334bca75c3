"""Counts in words."""

import pytest

from whet.domain.plural import count


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (1, "day", "1 day"),
        (2, "day", "2 days"),
        (2, "key", "2 keys"),
        (3, "entry", "3 entries"),
        (4, "batch", "4 batches"),
        (1200, "test", "1,200 tests"),
    ],
)
def test_a_count_has_the_noun_in_the_right_form(number: int, noun: str, words: str) -> None:
    assert count(number, noun) == words
