from keyword_list import keywords, shared_keywords


def test_order():
    assert keywords("pear fig apple Banana") == ["apple", "banana", "fig", "pear"]


def test_repeated():
    assert keywords("go, go! go") == ["go"]


def test_punctuation_only():
    assert keywords("... !") == []


def test_shared_two():
    assert shared_keywords("x y z", "z, y!") == 2
