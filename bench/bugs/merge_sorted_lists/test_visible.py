from merge_sorted_lists import merge, merge_sort


def test_merge_into_empty():
    assert merge([], [1, 2]) == [1, 2]


def test_merge_with_shorter_left():
    assert merge([1, 4], [2, 3, 5, 6]) == [1, 2, 3, 4, 5, 6]


def test_sort_pair():
    assert merge_sort([1, 2]) == [1, 2]


def test_sort():
    assert merge_sort([5, 2, 9, 1]) == [1, 2, 5, 9]
