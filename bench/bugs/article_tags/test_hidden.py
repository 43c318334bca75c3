from article_tags import add_tag


def test_blank_tag():
    assert add_tag("one") == ["one"]
    assert add_tag("  ") == []


def test_given_empty_list_is_used():
    mine = []
    assert add_tag("x", mine) is mine
    assert mine == ["x"]


def test_results_are_independent():
    a = add_tag("q")
    a.append("extra")
    assert add_tag("q") == ["q"]


def test_explicit_none():
    assert add_tag("z", None) == ["z"]
