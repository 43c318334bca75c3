from paint_fill import fill


def test_fill_area():
    assert fill([[1, 1, 0], [0, 1, 0]], 0, 0, 5) == [[5, 5, 0], [0, 5, 0]]


def test_same_colour():
    assert fill([[1, 1]], 0, 0, 1) == [[1, 1]]


def test_before_and_after():
    before = [[0, 0], [0, 0]]
    after = fill(before, 1, 1, 3)
    assert after == [[3, 3], [3, 3]]
    assert before == [[0, 0], [0, 0]]
