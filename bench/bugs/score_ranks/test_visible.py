from score_ranks import rank_of, ranking


def test_best_player():
    assert rank_of("ann", {"ann": 30, "bob": 20}) == 1


def test_ranking_with_tie():
    scores = {"ann": 30, "bob": 20, "cid": 30}
    assert ranking(scores) == [(1, "ann"), (1, "cid"), (3, "bob")]


def test_no_players():
    assert ranking({}) == []
