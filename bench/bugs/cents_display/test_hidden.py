from cents_display import price_text, round_half_up, whole_units


def test_default_places():
    assert round_half_up(1.239) == 1.24


def test_half_cent():
    assert price_text(0.125, "USD") == "0.13 USD"


def test_three_places():
    assert round_half_up(1.23456, 3) == 1.235


def test_whole_units_down():
    assert whole_units(2.4) == 2


def test_no_trailing_change():
    assert round_half_up(9.99) == 9.99
