from merge_sorted_lists import merge, merge_sort


def test_all_left_first():
    assert merge([1, 2, 3], [4]) == [1, 2, 3, 4]


def test_all_right_first():
    assert merge([9], [1, 2, 3]) == [1, 2, 3, 9]


def test_sort_reversed():
    assert merge_sort(list(range(20, 0, -1))) == list(range(1, 21))


def test_sort_with_duplicates():
    assert merge_sort([3, 1, 3, 2, 1]) == [1, 1, 2, 3, 3]


def test_right_empty():
    assert merge([1, 2], []) == [1, 2]
