from star_rating import average_rating, best_rated, stars


def test_average_of_none():
    assert average_rating([]) == 0.0


def test_best_with_unrated_product():
    assert best_rated({"a": [], "b": [1]}) == "b"


def test_best_when_none_is_rated():
    assert best_rated({"z": [], "b": []}) == "b"


def test_all_five():
    assert stars([5, 5]) == "*****"
