from weight_shares import allocate, shares


def test_four_zero_weights():
    assert allocate(20, dict.fromkeys("wxyz", 0)) == {"w": 5, "x": 5, "y": 5, "z": 5}


def test_no_weights():
    assert shares({}) == {}


def test_one_zero():
    assert shares({"a": 0, "b": 2}) == {"a": 0.0, "b": 1.0}


def test_single_zero():
    assert shares({"only": 0}) == {"only": 1.0}
