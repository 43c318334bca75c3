from query_options import page_range, parse_query


def test_words():
    assert parse_query("sort=name&dir=up") == {"sort": "name", "dir": "up"}


def test_numbers():
    assert parse_query("page=3&q=cats") == {"page": 3, "q": "cats"}


def test_default_page():
    assert page_range("q=cats") == (1, 10)


def test_second_page():
    assert page_range("page=2") == (11, 20)
