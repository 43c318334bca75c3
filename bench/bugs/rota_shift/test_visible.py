from rota_shift import rotate, weekly_rota


def test_no_rotation():
    assert rotate([1, 2, 3], 0) == [1, 2, 3]


def test_rotate_by_one():
    assert rotate([1, 2, 3, 4], 1) == [4, 1, 2, 3]


def test_empty():
    assert rotate([], 3) == []


def test_rota():
    assert weekly_rota(["ann", "bob", "cid"], 2) == ("bob", "cid")
