from cents_display import price_text, round_half_up, whole_units


def test_price():
    assert price_text(3.14159) == "3.14 EUR"


def test_whole_price():
    assert price_text(5) == "5.00 EUR"


def test_whole_units():
    assert whole_units(2.5) == 3


def test_one_place():
    assert round_half_up(0.25, 1) == 0.3
