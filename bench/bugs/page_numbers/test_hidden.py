import pytest

from page_numbers import page_count, page_items


def test_nothing_to_show():
    assert page_count(0, 10) == 0


def test_first_page_of_nothing():
    assert page_items([], 1, 10) == []


def test_one_per_page():
    assert page_count(7, 1) == 7


def test_page_after_full_last():
    with pytest.raises(IndexError):
        page_items([1, 2, 3, 4], 3, 2)


def test_page_larger_than_total():
    assert page_count(3, 100) == 1


def test_one_more_than_full():
    assert page_count(101, 100) == 2
