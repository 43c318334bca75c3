import pytest

from booking_overlap import can_book


def test_free_room():
    assert can_book([], (9, 10))


def test_clash():
    assert not can_book([(9, 11)], (10, 12))


def test_directly_after_another_booking():
    assert can_book([(9, 10)], (10, 11))


def test_empty_booking_refused():
    with pytest.raises(ValueError):
        can_book([], (9, 9))
