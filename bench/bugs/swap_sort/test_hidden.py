from swap_sort import bubble_sort


def test_smallest_last():
    assert bubble_sort([2, 3, 4, 5, 1]) == [1, 2, 3, 4, 5]


def test_shuffled():
    assert bubble_sort([4, 9, 2, 7, 7, 0, 5]) == [0, 2, 4, 5, 7, 7, 9]


def test_stable():
    assert bubble_sort(["bb", "a", "cc", "d"], key=len) == ["a", "d", "bb", "cc"]


def test_short():
    assert bubble_sort([]) == []
    assert bubble_sort([1]) == [1]


def test_input_is_kept():
    data = [1, 3, 2]
    bubble_sort(data)
    assert data == [1, 3, 2]
