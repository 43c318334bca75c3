from rota_shift import rotate


def test_half_way():
    assert rotate("abcd", 2) == "cdab"


def test_more_than_the_length():
    assert rotate([1, 2, 3], 7) == [3, 1, 2]


def test_negative_is_left():
    assert rotate([1, 2, 3, 4], -1) == [2, 3, 4, 1]


def test_three_of_five():
    assert rotate([1, 2, 3, 4, 5], 3) == [3, 4, 5, 1, 2]


def test_full_turn():
    assert rotate([1, 2, 3], 3) == [1, 2, 3]
