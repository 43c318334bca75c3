from booking_overlap import can_book, overlaps


def test_directly_before():
    assert can_book([(10, 11)], (9, 10))


def test_exactly_between():
    assert can_book([(8, 9), (10, 12)], (9, 10))


def test_inside():
    assert overlaps((8, 12), (9, 10))
    assert overlaps((9, 10), (8, 12))


def test_same_slot():
    assert overlaps((1, 2), (1, 2))


def test_far_apart():
    assert not overlaps((1, 2), (5, 6))
    assert not overlaps((5, 6), (1, 2))
