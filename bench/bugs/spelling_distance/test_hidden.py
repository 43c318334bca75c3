from spelling_distance import edit_distance, suggest


def test_to_nothing():
    assert edit_distance("abc", "") == 3
    assert edit_distance("", "abc") == 3


def test_both_ways():
    pairs = [("flaw", "lawn"), ("xxab", "ab"), ("intention", "execution")]
    assert [edit_distance(a, b) for a, b in pairs] == [2, 2, 5]
    assert [edit_distance(b, a) for a, b in pairs] == [2, 2, 5]


def test_prefix():
    assert edit_distance("zzzword", "word") == 3


def test_no_suggestion():
    assert suggest("xxxxcat", ["cat"]) == []
