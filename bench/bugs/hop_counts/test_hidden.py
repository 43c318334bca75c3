from hop_counts import hops


def test_shortcut_listed_first():
    graph = {1: [5, 2], 2: [3], 3: [4], 4: [6], 5: [6]}
    assert hops(graph, 1) == {1: 0, 5: 1, 2: 1, 6: 2, 3: 2, 4: 3}


def test_shortcut_listed_last():
    graph = {1: [2, 5], 2: [3], 3: [6], 5: [6]}
    assert hops(graph, 1)[6] == 2


def test_cycle():
    assert hops({1: [2], 2: [3], 3: [1]}, 1) == {1: 0, 2: 1, 3: 2}


def test_alone():
    assert hops({}, "x") == {"x": 0}
