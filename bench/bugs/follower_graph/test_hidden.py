from follower_graph import mutual


def test_only_unknown_people():
    assert mutual({"a": ["x", "y"], "b": ["z"]}) == []


def test_three():
    follows = {"a": ["b", "c"], "b": ["a", "c"], "c": ["b", "zed"]}
    assert mutual(follows) == [("a", "b"), ("b", "c")]


def test_input_gets_no_new_people():
    follows = {"a": ["q"]}
    mutual(follows)
    assert follows == {"a": ["q"]}


def test_self():
    assert mutual({"a": ["a"]}) == []
