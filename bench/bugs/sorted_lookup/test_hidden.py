from sorted_lookup import contains_sorted, find_sorted


def test_every_element_is_found():
    for size in range(1, 20):
        values = list(range(0, size * 3, 3))
        assert [find_sorted(values, v) for v in values] == list(range(size))


def test_none_of_the_gaps_is_found():
    values = list(range(0, 30, 3))
    assert not any(contains_sorted(values, v + 1) for v in values)


def test_single():
    assert contains_sorted(["only"], "only")


def test_below_and_above():
    assert find_sorted([5, 6], 1) == -1
    assert find_sorted([5, 6], 9) == -1
