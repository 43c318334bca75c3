from maze_route import can_reach, dead_ends


def test_here():
    assert can_reach({}, "hall", "hall")


def test_straight_on():
    assert can_reach({"hall": ["attic"], "attic": ["roof"]}, "hall", "roof")


def test_second_door():
    assert can_reach({"hall": ["cellar", "attic"], "cellar": []}, "hall", "attic")


def test_no_way():
    assert not can_reach({"hall": ["cellar"]}, "hall", "roof")


def test_dead_ends():
    assert dead_ends({"b": [], "a": [], "c": ["a"]}) == ["a", "b"]
