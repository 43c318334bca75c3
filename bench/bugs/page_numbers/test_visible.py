import pytest

from page_numbers import page_count, page_items


def test_partial_last_page():
    assert page_count(11, 5) == 3


def test_full_last_page():
    assert page_count(10, 5) == 2


def test_items_of_second_page():
    assert page_items([1, 2, 3, 4, 5], 2, 2) == [3, 4]


def test_bad_size():
    with pytest.raises(ValueError):
        page_count(3, 0)
