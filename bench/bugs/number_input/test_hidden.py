import pytest

from number_input import sum_numbers, to_number


def test_sum_ignores_words():
    assert sum_numbers(["3", "apples", "2.5", "pears"]) == 5.5


def test_empty_text():
    assert to_number("") is None


def test_exponent():
    assert to_number("1e3") == 1000.0


def test_none_is_a_mistake_of_the_caller():
    with pytest.raises(TypeError):
        to_number(None)


def test_spaces():
    assert to_number(" 7 ") == 7
