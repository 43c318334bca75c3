import pytest

from tests.guard.content.rows import lines, remarks
from whet.guard.content.invisible_text import invisible_characters, lookalike_letters, reorders_text

QUIET = [
    "x = 1\n",
    "x = 'größer'\n",
    "x = 'привет'\n",
    "# Ελληνικά and Latin\n",
    "x = 'µ'\n",
    "naïve = 'é'\n",
    "x = '日本語 text'\n",
]
REORDERS = ["\u202e", "\u202a", "\u2066", "\u2069", "\u200f", "\u200e", "\u061c"]
HIDES = ["\u200b", "\u2060", "\u00ad", "\u3164", "\U000e0041"]
PRETENDS = ["pаssword = 1\n", "# the sсope of it\n", "is_аdmin = True\n", "x = 'рaypal'\n", "Αdmin = 1\n"]


@pytest.mark.parametrize("text", QUIET)
def test_text_of_one_alphabet_is_not_remarked_on(text: str) -> None:
    assert remarks(invisible_characters, text) == remarks(lookalike_letters, text) == set()
    assert not reorders_text(text)


@pytest.mark.parametrize("mark", REORDERS)
@pytest.mark.parametrize("path", ["src/app.py", "docs/a.md", "a.json"])
def test_a_mark_that_reorders_a_line_is_blocked(mark: str, path: str) -> None:
    text = f"# a{mark}b\n"
    assert remarks(invisible_characters, text, path=path) == {("block", "reordered_text")}
    assert remarks(invisible_characters, text + "x\n", text, path="a.md") == set()
    assert reorders_text(text)


@pytest.mark.parametrize("mark", HIDES)
def test_an_invisible_character_raises_the_tier(mark: str) -> None:
    assert remarks(invisible_characters, f"# a{mark}b\n") == {("raise", "unseen_text")}
    assert lines(invisible_characters, f"x = 1\n# a{mark}b\n") == [2]


@pytest.mark.parametrize("text", PRETENDS)
def test_a_word_of_two_alphabets_is_blocked(text: str) -> None:
    assert remarks(lookalike_letters, text) == {("block", "lookalike_letters")}
    assert remarks(lookalike_letters, text + "x = 1\n", text) == set()
    assert lines(lookalike_letters, "x = 1\n" + text) == [2]
