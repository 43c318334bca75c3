from query_options import page_range, parse_query


def test_empty_query():
    assert parse_query("") == {}


def test_several_numbers():
    assert parse_query("a=0&b=007&c=1.5") == {"a": 0, "b": 7, "c": "1.5"}


def test_no_value():
    assert parse_query("flag&x=") == {"flag": "", "x": ""}


def test_page_and_size():
    assert page_range("x=y&page=4", size=5) == (16, 20)


def test_mixed_text():
    assert parse_query("id=12ab") == {"id": "12ab"}
