from ratio_terms import gcd, reduce_ratio


def test_already_reduced():
    assert reduce_ratio(7, 3) == "7:3"


def test_tall():
    assert reduce_ratio(1080, 1920) == "9:16"


def test_gcd_with_zero():
    assert gcd(12, 0) == 12
    assert gcd(0, 12) == 12


def test_gcd():
    assert gcd(48, 36) == 12
