from grid_paths import count_paths


def test_several_grids_in_turn():
    assert count_paths(["..", ".."]) == 2
    assert count_paths(["..", "#."]) == 1
    assert count_paths(["..", ".."]) == 2


def test_large():
    assert count_paths(["." * 10] * 10) == 48620


def test_one_row():
    assert count_paths(["....."]) == 1
    assert count_paths(["..#.."]) == 0


def test_start_elsewhere():
    assert count_paths(["...", "..."], row=1, col=0) == 1
