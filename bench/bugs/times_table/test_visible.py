from times_table import render, times_table


def test_one():
    assert times_table(1) == [[1]]


def test_two():
    assert times_table(2) == [[1, 2], [2, 4]]


def test_render():
    assert render([[1, 20], [3, 4]]) == " 1 20\n 3  4"


def test_nothing():
    assert times_table(0) == []
