from release_tags import latest, parse_tag


def test_three_parts():
    assert parse_tag("v1.20.3") == (1, 20, 3)


def test_two_parts():
    assert parse_tag("v2.0") == (2, 0, 0)


def test_latest():
    assert latest(["v1.9", "v1.10"]) == "v1.10"


def test_other_tags_are_ignored():
    assert latest(["nightly", "v0.1", "vendor"]) == "v0.1"
