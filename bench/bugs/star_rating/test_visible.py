from star_rating import average_rating, best_rated, stars


def test_average():
    assert average_rating([4, 5]) == 4.5


def test_stars():
    assert stars([3, 3, 4]) == "***.."


def test_stars_of_new_product():
    assert stars([]) == "....."


def test_best():
    assert best_rated({"pen": [3], "cup": [5, 4]}) == "cup"
