from hop_counts import hops, is_reachable


def test_chain():
    assert hops({"a": ["b"], "b": ["c"]}, "a") == {"a": 0, "b": 1, "c": 2}


def test_shortest_way_is_counted():
    graph = {"a": ["b", "c"], "b": ["e"], "c": ["d"], "d": ["e"], "e": []}
    assert hops(graph, "a")["e"] == 2


def test_unreachable():
    assert not is_reachable({"a": ["b"], "c": ["a"]}, "a", "c")
