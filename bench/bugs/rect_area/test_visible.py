from rect_area import Rect


def test_square_contains_its_middle():
    assert Rect(0, 0, 4, 4).contains(2, 2)


def test_wide_rect():
    wide = Rect(0, 0, 10, 2)
    assert wide.contains(9, 1)
    assert not wide.contains(5, 3)


def test_right_edge():
    assert Rect(3, 1, 5, 2).right == 8


def test_moved():
    assert Rect(0, 0, 1, 2).moved(3, 4) == Rect(3, 4, 1, 2)
