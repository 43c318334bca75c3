from title_shorten import shorten


def test_never_longer_than_limit():
    text = "the quick brown fox"
    assert all(len(shorten(text, n)) <= n for n in range(25))


def test_other_mark():
    assert shorten("abcdefgh", 5, mark="~") == "abcd~"


def test_space_before_mark():
    assert shorten("abc defghi", 7) == "abc..."


def test_empty_mark():
    assert shorten("abcdef", 3, mark="") == "abc"
