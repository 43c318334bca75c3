from rect_area import Rect


def test_tall_rect():
    assert Rect(0, 0, 2, 10).contains(1, 9)


def test_bottom():
    assert Rect(1, 2, 3, 40).bottom == 42


def test_edges_are_outside():
    r = Rect(0, 0, 3, 5)
    assert not r.contains(3, 0)
    assert not r.contains(0, 5)


def test_moved_bottom():
    assert Rect(0, 0, 7, 1).moved(0, 10).bottom == 11
