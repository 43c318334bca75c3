from stair_climb import climb_table, ways_to_climb


def test_no_stairs():
    assert ways_to_climb(0) == 1


def test_single_steps_only():
    assert ways_to_climb(4, steps=(1,)) == 1


def test_table():
    assert climb_table(5) == [1, 1, 2, 3, 5, 8]
