from stair_climb import ways_to_climb


def test_large_steps_only():
    assert ways_to_climb(3, steps=(2,)) == 0


def test_other_steps():
    assert ways_to_climb(5, steps=(1, 3)) == 4


def test_three_step_sizes():
    assert ways_to_climb(4, steps=(1, 2, 3)) == 7


def test_negative():
    assert ways_to_climb(-1) == 0
