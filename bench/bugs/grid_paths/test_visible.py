from grid_paths import count_paths


def test_single_cell():
    assert count_paths(["."]) == 1


def test_open_grid():
    assert count_paths(["...", "...", "..."]) == 6


def test_grid_before_and_after_a_wall_is_built():
    assert count_paths(["...", "...", "..."]) == 6
    assert count_paths(["...", ".#.", "..."]) == 2


def test_blocked():
    assert count_paths([".#", "#."]) == 0
