from follower_graph import followers, mutual


def test_followers():
    assert followers({"b": ["c"], "a": ["c"]}) == {"c": ["a", "b"]}


def test_mutual():
    assert mutual({"a": ["b"], "b": ["a", "c"], "c": []}) == [("a", "b")]


def test_star_who_follows_nobody():
    assert mutual({"a": ["b", "star"], "b": ["a"]}) == [("a", "b")]


def test_nobody():
    assert mutual({}) == []
