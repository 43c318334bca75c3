from swap_sort import bubble_sort, sort_names


def test_sorted_already():
    assert bubble_sort([1, 2, 3]) == [1, 2, 3]


def test_reversed():
    assert bubble_sort([3, 2, 1]) == [1, 2, 3]


def test_last_two_swapped():
    assert bubble_sort([1, 2, 4, 3]) == [1, 2, 3, 4]


def test_names():
    assert sort_names(["bob", "Ann"]) == ["Ann", "bob"]
