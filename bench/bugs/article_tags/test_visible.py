from article_tags import add_tag, parse_tags


def test_clean_tag():
    assert add_tag(" News ") == ["news"]


def test_new_list_each_time():
    first = add_tag("red")
    second = add_tag("blue")
    assert first == ["red"]
    assert second == ["blue"]


def test_given_list():
    assert add_tag("b", ["a"]) == ["a", "b"]


def test_parse():
    assert parse_tags("a, b,,A") == ["a", "b"]
