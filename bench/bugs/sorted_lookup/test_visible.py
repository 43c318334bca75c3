from sorted_lookup import contains_sorted, find_sorted


def test_middle():
    assert find_sorted([2, 4, 6], 4) == 1


def test_missing():
    assert find_sorted([2, 4, 6], 5) == -1


def test_last():
    assert find_sorted([2, 4, 6], 6) == 2


def test_empty():
    assert not contains_sorted([], 1)
