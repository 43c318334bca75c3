from card_checksum import is_valid_card, luhn_sum


def test_classic_number():
    assert is_valid_card("79927398713")


def test_all_other_check_digits_fail():
    assert [d for d in range(10) if is_valid_card(f"7992739871{d}")] == [3]


def test_nine_doubled():
    assert luhn_sum([9, 0]) == 9


def test_seven_and_eight():
    assert luhn_sum([8, 0, 7, 0]) == 7 + 5


def test_empty():
    assert not is_valid_card("")
