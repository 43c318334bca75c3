from keyword_list import keywords, shared_keywords


def test_sorted_words():
    assert keywords("The cat and the Dog.") == ["cat", "dog"]


def test_only_stop_words():
    assert keywords("the of") == []


def test_shared():
    assert shared_keywords("red car", "a red bike") == 1


def test_shared_with_nothing():
    assert shared_keywords("", "a red bike") == 0
