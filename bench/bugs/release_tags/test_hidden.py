from release_tags import latest, parse_tag


def test_not_a_release():
    assert parse_tag("release-1") is None


def test_trailing_text():
    assert parse_tag("v1.2rc1") is None


def test_nothing_but_other_tags():
    assert latest(["x", "y"]) is None


def test_empty():
    assert latest([]) is None
    assert parse_tag("") is None
