from score_ranks import rank_of, ranking


def test_single_player():
    assert ranking({"zed": 0}) == [(1, "zed")]


def test_everyone_equal():
    assert ranking({"b": 5, "a": 5, "c": 5}) == [(1, "a"), (1, "b"), (1, "c")]


def test_tie_in_the_middle():
    scores = {"a": 9, "b": 7, "c": 7, "d": 1}
    assert [r for r, _ in ranking(scores)] == [1, 2, 2, 4]


def test_negative_scores():
    assert rank_of("b", {"a": -1, "b": -2}) == 2
