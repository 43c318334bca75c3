from weight_shares import allocate, shares


def test_shares():
    assert shares({"a": 1, "b": 3}) == {"a": 0.25, "b": 0.75}


def test_allocate():
    assert allocate(100, {"a": 1, "b": 3}) == {"a": 25, "b": 75}


def test_all_zero():
    assert shares({"a": 0, "b": 0}) == {"a": 0.5, "b": 0.5}
