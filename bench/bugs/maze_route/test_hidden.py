from maze_route import can_reach


def test_third_door_after_loop():
    links = {1: [2, 3, 4], 2: [1], 3: [2], 4: [5]}
    assert can_reach(links, 1, 5)


def test_cycle_without_goal():
    assert can_reach({1: [2], 2: [1]}, 1, 9) is False


def test_deep_branch():
    links = {"a": ["b", "e"], "b": ["c", "d"], "c": [], "d": [], "e": ["f"]}
    assert can_reach(links, "a", "f")
    assert can_reach(links, "b", "d")
    assert not can_reach(links, "b", "f")


def test_one_way():
    assert not can_reach({1: [2]}, 2, 1)
