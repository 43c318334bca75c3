from card_checksum import is_valid_card, luhn_sum


def test_valid_number():
    assert is_valid_card("4539 1488 0343 6467")


def test_one_digit_changed():
    assert not is_valid_card("4539 1488 0343 6466")


def test_letters():
    assert not is_valid_card("4539 abcd")


def test_sum_of_small_digits():
    assert luhn_sum([1, 2, 3]) == 1 + 4 + 3


def test_sum_with_large_digit():
    assert luhn_sum([5, 0]) == 1
