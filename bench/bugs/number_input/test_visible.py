from number_input import sum_numbers, to_number


def test_int():
    assert to_number("12") == 12


def test_float():
    assert to_number("1.5") == 1.5


def test_word():
    assert to_number("twelve", -1) == -1


def test_sum_of_ints():
    assert sum_numbers(["1", "2"]) == 3
