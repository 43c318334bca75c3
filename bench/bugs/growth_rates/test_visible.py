from growth_rates import percent_change, yearly_growth


def test_change():
    assert percent_change(50, 75) == 50


def test_flat_years():
    assert yearly_growth({2001: 8, 2000: 8}) == {2001: 0}


def test_growth():
    assert yearly_growth({2000: 100, 2001: 125, 2002: 100}) == {2001: 25, 2002: -20}


def test_one_year():
    assert yearly_growth({1999: 3}) == {}
